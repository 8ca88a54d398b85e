import unittest

from app.window import clamp


class ClampTest(unittest.TestCase):
    def test_inside(self):
        self.assertEqual(clamp(0, 10, 4), 4)

    def test_outside(self):
        self.assertEqual(clamp(0, 10, -3), 0)
        self.assertEqual(clamp(0, 10, 25), 10)

    def test_swapped_bounds(self):
        self.assertEqual(clamp(10, 0, 4), 4)


if __name__ == "__main__":
    unittest.main()
