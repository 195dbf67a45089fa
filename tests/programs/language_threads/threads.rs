// Four threads take numbers off a channel and put what they make of them into a list, in the order in which they happen to.
use std::sync::mpsc::sync_channel;
use std::sync::{Arc, Mutex};
use std::thread;

fn work(seed: i64) -> i64 {
    let mut x = seed;
    for _ in 0..2000 {
        x = (x * 1103515245 + 12345) % 2147483648;
    }
    x
}

fn main() {
    let (sender, receiver) = sync_channel::<i64>(8);
    let receiver = Arc::new(Mutex::new(receiver));
    let state = Arc::new(Mutex::new((0i64, String::new())));
    let threads: Vec<_> = "abcd"
        .chars()
        .map(|me| {
            let (receiver, state) = (Arc::clone(&receiver), Arc::clone(&state));
            thread::spawn(move || loop {
                let taken = receiver.lock().unwrap().recv();
                let Ok(n) = taken else { return };
                let made = work(n);
                let mut state = state.lock().unwrap();
                state.0 += made;
                state.1.push(me);
            })
        })
        .collect();
    for n in 0..100 {
        sender.send(n).unwrap();
    }
    drop(sender);
    for thread in threads {
        thread.join().unwrap();
    }
    let state = state.lock().unwrap();
    println!("{} {} {}", state.0, state.1.len(), state.1);
}
