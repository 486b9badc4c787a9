import unittest

import import_csv


class ImportTest(unittest.TestCase):
    def test_check_digit(self):
        self.assertEquals(import_csv.check_digit("47312482"), 9)
        self.assertEquals(import_csv.check_digit("12345678"), 5)

    def test_weight(self):
        self.assertEquals(import_csv.parse_weight("350"), 350)
        self.assertEquals(import_csv.parse_weight("350 g"), 350)
        self.assertEquals(import_csv.parse_weight("1,5 kg"), 1500)
        self.assertEquals(import_csv.parse_weight(" "), None)

    def test_later_row_wins(self):
        lines = [
            "number;recipient;weight",
            "RR473124829DE;Ana Souza;350",
            "RR 473 124 829 DE;Ana Souza Lima;1,5 kg",
        ]
        parcels = import_csv.convert(lines)
        self.assertEquals(len(parcels), 1)
        self.assertEquals(parcels[0]["recipient"], "Ana Souza Lima")

    def test_bad_rows_are_left_out(self):
        self.assertEquals(import_csv.convert(["number;recipient;weight", "RR473124820DE;Bo;1"]), [])


if __name__ == "__main__":
    unittest.main()
