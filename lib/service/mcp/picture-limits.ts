// The limits of pictures for models, apart from the code that decodes images.
// https://docs.claude.com/en/docs/build-with-claude/vision#evaluate-image-size

export const MAX_SIDE_PX = 1_568;
export const MAX_PIXELS = 1_150_000;

/** Slices of one answer; more would fill the context of a model. */
export const MAX_SLICES = 6;

/** Most bytes of one picture. Noise takes the most. */
export const MAX_PICTURE_BYTES = 2_000_000;

/** Which part of an image a model sees. */
export interface PictureRequest {
  /** Returns the image in slices, from this one on, counted from 1; undefined returns it as one picture. */
  readonly firstSlice: number | undefined;
}

/** A stored image that a model is to see a part of. */
export interface PictureWork extends Partial<PictureRequest> {
  /** The signed link to it. */
  readonly link: string;
}

export interface ModelPictures {
  readonly width: number;
  readonly height: number;
  readonly pictures: readonly Buffer[];
  /** Size of the pictures relative to the image, at most 1. */
  readonly scale: number;
  /** How many slices the whole image has; 1 without slices. */
  readonly total: number;
}

/** An image can't be shown to a model. */
export class NoPicture extends Error {}
