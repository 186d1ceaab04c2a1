"""Writes pdq-expected.json: the hashes that Meta's implementation has for the drawings of drawings.ts.

pip install pdqhash==0.2.8 && python3 pdq-expected.py > pdq-expected.json
"""

import json

import numpy
import pdqhash

# Width, height, number of shapes.
CASES = [
    (320, 320, 80),
    (320, 320, 20),
    (320, 320, 5),
    (320, 320, 1),
    (960, 720, 80),
    (640, 900, 60),
    (1280, 500, 60),
]


def drawing(seed, width, height, shapes):
    state = seed + 1

    def following(below):
        nonlocal state
        state = state * 48_271 % 2_147_483_647
        return state % below

    rows, columns = numpy.mgrid[0:height, 0:width].astype("int64")
    image = numpy.full((height, width, 3), 128, "int64")
    for _ in range(shapes):
        x, y = following(width), following(height)
        rx, ry = (width >> 5) + following(width >> 2), (height >> 5) + following(height >> 2)
        color = [following(256), following(256), following(256)]
        inside = ((columns - x) * ry) ** 2 + ((rows - y) * rx) ** 2 <= (rx * ry) ** 2
        image[inside] = (image[inside] + color) >> 1
    return numpy.ascontiguousarray(image.astype("uint8"))


def text(bits):
    return "%064x" % int("".join(str(bit) for bit in bits), 2)


entries = []
for seed, (width, height, shapes) in enumerate(CASES):
    hashes, quality = pdqhash.compute_dihedral(drawing(seed, width, height, shapes))
    size = {"width": width, "height": height, "shapes": shapes}
    entries.append({**size, "quality": int(quality), "hashes": [text(each) for each in hashes]})
print(json.dumps(entries, indent=2))
