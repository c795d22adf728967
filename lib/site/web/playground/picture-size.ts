// The size of a picture before it is shown, so that its place is known and nothing moves when it appears.

/** In pixels. */
export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** Undefined for what this browser can't show as a picture. */
export async function measurePicture(body: Blob): Promise<PictureSize | undefined> {
  const url = URL.createObjectURL(body);
  try {
    const image = Object.assign(new Image(), { src: url });
    await image.decode();
    return { width: image.naturalWidth, height: image.naturalHeight };
  } catch {
    return undefined;
  } finally {
    URL.revokeObjectURL(url);
  }
}
