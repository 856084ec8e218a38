package io.github.roram.bench.figure;

import java.awt.image.BufferedImage;
import java.awt.image.DataBuffer;
import java.awt.image.IndexColorModel;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import javax.imageio.ImageIO;

/** Drawings as PNG with a palette: some times smaller than with full colours. */
final class SmallPng {

  private static final int MAX_COLOURS = 256;
  private static final int CHANNEL_BITS = 8;

  /** Levels of a channel that smoothed edges need to look smooth: 2^4. */
  private static final int MOST_BITS = 4;

  private SmallPng() {}

  /**
   * Encodes a drawing. Its colours are rounded, as finely as a palette holds them.
   *
   * @param image without transparency
   */
  static byte[] encode(BufferedImage image) throws IOException {
    int width = image.getWidth();
    int height = image.getHeight();
    int[] colours = image.getRGB(0, 0, width, height, null, 0, width);
    int bits = MOST_BITS;
    Map<Integer, Integer> palette = palette(colours, bits);
    while (palette.size() > MAX_COLOURS) {
      palette = palette(colours, --bits);
    }
    int[] entries = new int[palette.size()];
    palette.forEach((colour, index) -> entries[index] = colour);
    IndexColorModel model =
        new IndexColorModel(
            CHANNEL_BITS, entries.length, entries, 0, false, -1, DataBuffer.TYPE_BYTE);
    BufferedImage indexed =
        new BufferedImage(width, height, BufferedImage.TYPE_BYTE_INDEXED, model);
    int[] indices = new int[colours.length];
    for (int i = 0; i < colours.length; i++) {
      indices[i] = palette.getOrDefault(rounded(colours[i], bits), 0);
    }
    indexed.getRaster().setPixels(0, 0, width, height, indices);
    ByteArrayOutputStream png = new ByteArrayOutputStream();
    ImageIO.write(indexed, "png", png);
    return png.toByteArray();
  }

  /** The rounded colours that occur, numbered. */
  private static Map<Integer, Integer> palette(int[] colours, int bits) {
    Map<Integer, Integer> palette = new HashMap<>();
    for (int colour : colours) {
      palette.putIfAbsent(rounded(colour, bits), palette.size());
    }
    return palette;
  }

  private static int rounded(int colour, int bits) {
    return level(colour >> 16, bits) << 16 | level(colour >> 8, bits) << 8 | level(colour, bits);
  }

  /** The nearest of 2^bits levels from 0 to 255. */
  private static int level(int channel, int bits) {
    int most = (1 << bits) - 1;
    return Math.round((float) (channel & 0xff) * most / 255) * 255 / most;
  }
}
