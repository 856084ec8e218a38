package io.github.roram.cli;
public final class Roram { private Roram() {} public static void main(String[] a) { System.out.println("hi"); } }
