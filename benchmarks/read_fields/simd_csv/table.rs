use std::error::Error;
use std::fs::File;
use std::os::fd::AsFd;
use std::str::FromStr;

fn to_number<T: FromStr<Err: Error + 'static>>(field: &[u8]) -> Result<T, Box<dyn Error>> {
    Ok(std::str::from_utf8(field)?.parse()?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let input = File::from(std::io::stdin().as_fd().try_clone_to_owned()?);
    let mut file = simd_csv::ZeroCopyReaderBuilder::with_capacity(1 << 20)
        .has_headers(false)
        .from_reader(input);
    let (mut whole, mut prices) = (0, 0.0);
    while let Some(row) = file.read_byte_record()? {
        for (column, field) in row.iter().enumerate() {
            match column {
                0 | 3 | 4 => whole += to_number::<i64>(field)?,
                2 => prices += to_number::<f64>(field)?,
                _ => {}
            }
        }
    }
    println!("{}", whole as f64 + prices);
    Ok(())
}
