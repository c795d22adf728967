// Pictures that a model can read: WebP of at most 1,568 pixels on the long side and 1.15 megapixels.
// https://docs.claude.com/en/docs/build-with-claude/vision#evaluate-image-size
import sharp, { type Sharp } from "sharp";
import { imageSignature } from "../../engine/formats/image-signature.ts";
import {
  MAX_PIXELS,
  MAX_SIDE_PX,
  MAX_SLICES,
  type ModelPictures,
  NoPicture,
  type PictureRequest,
} from "./picture-limits.ts";

/** Width of slices, with which text stays readable and a slice is about as high as wide. */
const MAX_SLICE_WIDTH_PX = 1_072;

/** Slices overlap by this height in pixels of the picture, so that a line of text that one cuts is whole in the next. */
const OVERLAP_PX = 48;

const MAX_SECONDS = 20;

/** The pictures of an image that a model asks for. Throws `NoPicture` for bytes that aren't an image in a format of results. */
export function modelPictures(image: Buffer, { firstSlice }: PictureRequest): Promise<ModelPictures> {
  return firstSlice === undefined ? wholePicture(image) : slicePictures(image, firstSlice);
}

/** The whole image as one picture. */
export async function wholePicture(image: Buffer): Promise<ModelPictures> {
  const { width, height } = await readSize(image);
  const scale = Math.min(1, MAX_SIDE_PX / Math.max(width, height), Math.sqrt(MAX_PIXELS / (width * height)));
  const size = { width: Math.max(1, Math.floor(width * scale)), height: Math.max(1, Math.floor(height * scale)) };
  const picture = await encode(open(image).resize({ ...size, fit: "fill" }));
  return { width, height, pictures: [picture], scale, total: 1 };
}

/** At most `MAX_SLICES` parts of the image from top to bottom; `first` counts from 1. None behind the last part. */
export async function slicePictures(image: Buffer, first: number): Promise<ModelPictures> {
  const { width, height } = await readSize(image);
  const scale = Math.min(1, MAX_SLICE_WIDTH_PX / width);
  const sliceWidth = Math.max(1, Math.floor(width * scale));
  const sliceHeight = Math.floor(Math.min(MAX_SIDE_PX, MAX_PIXELS / sliceWidth) / scale); // in pixels of the image
  const step = Math.max(1, sliceHeight - Math.round(OVERLAP_PX / scale));
  const total = 1 + Math.ceil(Math.max(0, height - sliceHeight) / step);
  const pictures: Buffer[] = [];
  for (let index = first - 1; index < Math.min(total, first - 1 + MAX_SLICES); index++) {
    const top = index * step;
    const part = { left: 0, top, width, height: Math.min(sliceHeight, height - top) };
    const size = { width: sliceWidth, height: Math.max(1, Math.floor(part.height * scale)) };
    pictures.push(
      await encode(
        open(image)
          .extract(part)
          .resize({ ...size, fit: "fill" }),
      ),
    );
  }
  return { width, height, pictures, scale, total };
}

function open(image: Buffer): Sharp {
  return sharp(image, { limitInputPixels: 600_000_000 }).timeout({ seconds: MAX_SECONDS });
}

async function readSize(image: Buffer): Promise<{ width: number; height: number }> {
  if (imageSignature(image) === undefined && !isGif(image)) throw new NoPicture("The result is no image.");
  const { width = 1, height = 1 } = await open(image).metadata();
  return { width, height };
}

const isGif = (image: Buffer) => image.toString("latin1", 0, 4) === "GIF8";

function encode(picture: Sharp): Promise<Buffer> {
  return picture.webp({ quality: 80 }).toBuffer();
}
