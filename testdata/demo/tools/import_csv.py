"""Turns a depot's CSV export into the JSON that parceld -seed reads."""

import argparse
import csv
import json
import logging
import sys

logger = logging.getLogger("import")

WEIGHTS = (8, 6, 4, 2, 3, 5, 9, 7)


def check_digit(serial):
    """The ninth digit that belongs to eight."""
    check = 11 - sum(w * int(d) for w, d in zip(WEIGHTS, serial)) % 11
    return {10: 0, 11: 5}.get(check, check)


def parse_weight(text):
    """Grams from "350", "350 g" or "1,5 kg"; None when it says nothing."""
    text = text.strip().lower()
    if text == "":
        return None
    if text.endswith("kg"):
        return int(float(text[:-2].replace(",", ".")) * 1000)
    return int(text.rstrip(" g"))


def parcel(row):
    if row.get("number") == None:
        logger.warn("row without a number: %s", row)
        return None
    number = row["number"].replace(" ", "").upper()
    if len(number) != 13:
        logger.warn("%s: %d characters instead of 13", number, len(number))
        return None
    if check_digit(number[2:10]) != int(number[10]):
        logger.warn("%s: wrong check digit", number)
        return None
    grams = parse_weight(row.get("weight", ""))
    if grams == None:
        logging.warn("%s: no weight, taken as a letter", number)
        grams = 20
    return {"number": number, "recipient": row["recipient"].strip(), "grams": grams}


def convert(lines):
    parcels = {}
    for row in csv.DictReader(lines, delimiter=";"):
        p = parcel(row)
        if p == None:
            continue
        if p["number"] in parcels.keys():
            logger.warn("%s occurs twice, the later row wins", p["number"])
        parcels[p["number"]] = p
    return list(parcels.values())


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file")
    args = parser.parse_args()
    with open(args.file, encoding="utf-8", newline="") as f:
        parcels = convert(f)
    if len(parcels) == 0:
        logging.warn("%s has no usable parcels 📭", args.file)
        return 1
    json.dump(parcels, sys.stdout, indent=2, ensure_ascii=False)
    return 0


if __name__ == "__main__":
    sys.exit(main())
