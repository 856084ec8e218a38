//! Replays a trace on the crate `oram`, Path ORAM in memory: TRACE BLOCKS, blocks of 4096 bytes.

use oram::{BlockSize, BlockValue, DefaultOram, Oram};
use std::collections::HashMap;
use std::time::{Duration, Instant};

const BLOCK_BYTES: BlockSize = 4096;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let lines = std::fs::read_to_string(&arguments[1])?;
    let mut rng = rand::rngs::OsRng;
    let mut oram = DefaultOram::<BlockValue<BLOCK_BYTES>>::new(arguments[2].parse()?, &mut rng)?;
    let mut expected: HashMap<u64, [u8; BLOCK_BYTES]> = HashMap::new();
    let zeros = [0u8; BLOCK_BYTES];
    let mut time = Duration::ZERO;
    let mut wrong = 0;
    for (number, line) in lines.lines().enumerate().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let first = cells[2].parse::<u64>()? / BLOCK_BYTES as u64;
        for block in first..first + cells[3].parse::<u64>()? / BLOCK_BYTES as u64 {
            if cells[1] == "W" {
                let mut content = zeros;
                content[..8].copy_from_slice(&(number as u64).to_le_bytes());
                content[8..16].copy_from_slice(&block.to_le_bytes());
                expected.insert(block, content);
                let start = Instant::now();
                oram.write(block, BlockValue::new(content), &mut rng)?;
                time += start.elapsed();
            } else {
                let start = Instant::now();
                let found = oram.read(block, &mut rng)?;
                time += start.elapsed();
                let content = expected.get(&block).unwrap_or(&zeros);
                wrong += u64::from(found != BlockValue::new(*content));
            }
        }
    }
    println!("{{\"seconds\": {}, \"wrong\": {}}}", time.as_secs_f64(), wrong);
    Ok(())
}
