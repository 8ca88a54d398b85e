import unittest

from app.codec import parse, render


class CodecTest(unittest.TestCase):
    def test_parse(self):
        self.assertEqual(parse("volume=7;bass=3"), {"volume": "7", "bass": "3"})

    def test_render(self):
        self.assertEqual(render({"volume": "7"}), "volume=7")

    def test_empty(self):
        self.assertEqual(parse(""), {})


if __name__ == "__main__":
    unittest.main()
