use std::fs::File;
use std::os::fd::AsFd;

/// The bytes of a field without the quotes around it, and with one of two in a row.
fn size_of(field: &[u8]) -> usize {
    match field {
        [b'"', text @ .., b'"'] => text.len() - text.iter().filter(|&&byte| byte == b'"').count() / 2,
        _ => field.len(),
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let input = File::from(std::io::stdin().as_fd().try_clone_to_owned()?);
    let mut file = simd_csv::ZeroCopyReaderBuilder::with_capacity(1 << 20)
        .has_headers(false)
        .from_reader(input);
    let (mut fields, mut bytes) = (0, 0);
    while let Some(row) = file.read_byte_record()? {
        fields += row.len();
        bytes += row.iter().map(size_of).sum::<usize>();
    }
    println!("{fields} {bytes}");
    Ok(())
}
