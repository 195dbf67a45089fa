use std::collections::HashSet;
use std::io::Read;

fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).unwrap();
    let mut a: Vec<i64> = text.split_whitespace().skip(1).map(|x| x.parse().unwrap()).collect();
    let different: HashSet<i64> = a.iter().copied().collect();
    a.sort();
    let sum: i64 = a.iter().enumerate().map(|(i, x)| x * (i % 7) as i64).sum();
    println!("{} {} {}", sum, different.len(), a[a.len() / 2]);
}
