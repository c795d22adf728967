// Color conversion from JPEG (BT.601, full range) to video (BT.709, limited range). Runs in the encoder page.

/**
 * Returns a function that converts the I420 planes of an image (luma, then two chroma planes of half the sides) in
 * place from BT.601 full range, as in JPEG, to BT.709 limited range, which every player assumes, whether or not it
 * reads the file's color information. Both sides are even numbers of pixels.
 */
export function videoColors(width: number, height: number): (planes: Uint8ClampedArray) => void {
  const [lumaScale, chromaScale] = [219 / 255, 224 / 255];
  // R = Y + rv·V, G = Y + gu·U + gv·V, B = Y + bu·U in BT.601; weights of R, G and B in BT.709.
  const [rv, gu, gv, bu] = [1.402, -0.344136, -0.714136, 1.772];
  const [red, green, blue] = [0.2126, 0.7152, 0.0722];
  const [lumaOfU, lumaOfV] = [green * gu + blue * bu, red * rv + green * gv];
  const [divideU, divideV] = [2 * (1 - blue), 2 * (1 - red)];

  // Fixed-point arithmetic (1/65,536), several times faster; chroma from look-up tables.
  const one = 65_536;
  const fixed = (scale: number, start = 0) =>
    Int32Array.from({ length: 256 }, (_, value) => Math.round(((value - 128) * scale + start) * one));
  const luma = Math.round(lumaScale * one);
  const lumaFromU = fixed(lumaOfU * lumaScale, 16.5);
  const lumaFromV = fixed(lumaOfV * lumaScale);
  const uFromU = fixed(((bu - lumaOfU) / divideU) * chromaScale, 128.5);
  const uFromV = fixed((-lumaOfV / divideU) * chromaScale);
  const vFromU = fixed((-lumaOfU / divideV) * chromaScale, 128.5);
  const vFromV = fixed(((rv - lumaOfV) / divideV) * chromaScale);

  const columns = width / 2;
  const uPlane = width * height;
  const vPlane = uPlane + uPlane / 4;

  return (planes) => {
    for (let row = 0; row < height / 2; row++) {
      let at = row * 2 * width;
      const end = (row + 1) * columns;
      for (let chroma = row * columns; chroma < end; chroma++, at += 2) {
        const u = planes[uPlane + chroma] as number;
        const v = planes[vPlane + chroma] as number;
        const shift = (lumaFromU[u] as number) + (lumaFromV[v] as number);
        const below = at + width;
        planes[at] = ((planes[at] as number) * luma + shift) >> 16;
        planes[at + 1] = ((planes[at + 1] as number) * luma + shift) >> 16;
        planes[below] = ((planes[below] as number) * luma + shift) >> 16;
        planes[below + 1] = ((planes[below + 1] as number) * luma + shift) >> 16;
        planes[uPlane + chroma] = ((uFromU[u] as number) + (uFromV[v] as number)) >> 16;
        planes[vPlane + chroma] = ((vFromU[u] as number) + (vFromV[v] as number)) >> 16;
      }
    }
  };
}
