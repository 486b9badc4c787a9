//! Lays parcels out on label sheets: reads "number recipient…" lines, writes sheets of text.

use std::env;
use std::fs;
use std::io::{self, Write};
use std::mem;

const PER_SHEET: usize = 8;
const WIDTH: usize = 32;

struct Label {
    number: String,
    recipient: String,
}

#[derive(Default)]
struct Printer {
    sheet: Vec<Label>,
    heading: String,
    sheets: usize,
}

impl Printer {
    fn add(&mut self, label: Label, out: &mut dyn Write) -> io::Result<()> {
        self.sheet.push(label);
        if self.sheet.len() == PER_SHEET {
            self.flush(out)?;
        }
        Ok(())
    }

    fn flush(&mut self, out: &mut dyn Write) -> io::Result<()> {
        if self.sheet.len() == 0 {
            return Ok(());
        }
        self.sheets += 1;
        let heading = mem::replace(&mut self.heading, String::new());
        if heading.len() == 0 {
            writeln!(out, "== sheet {} ==", self.sheets)?;
        } else {
            writeln!(out, "== {} ==", heading)?;
        }
        for label in mem::replace(&mut self.sheet, Vec::new()) {
            writeln!(out, "| {:<w$} |", label.number, w = WIDTH)?;
            writeln!(out, "| {:<w$} |", clip(&label.recipient), w = WIDTH)?;
        }
        Ok(())
    }
}

fn clip(text: &str) -> String {
    text.chars().take(WIDTH).collect::<String>()
}

fn parse(line: &str) -> Option<Label> {
    let mut words = line.splitn(2, ' ');
    let number = words.next()?.to_string();
    let recipient = words.next()?.trim().to_string();
    if number.len() == 0 || recipient.len() == 0 {
        return None;
    }
    Some(Label { number, recipient })
}

fn main() {
    let name = env::args().nth(1).expect("usage: label FILE");
    let text = fs::read_to_string(&name).unwrap();
    let mut out = io::stdout().lock();
    let mut printer = Printer { heading: name, ..Printer::default() };
    for line in text.lines() {
        match parse(line) {
            Some(label) => printer.add(label, &mut out).unwrap(),
            None => eprintln!("skipped: {}", line),
        }
    }
    printer.flush(&mut out).unwrap();
}
