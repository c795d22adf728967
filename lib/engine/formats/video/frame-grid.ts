// Frame grid: maps screencast images, which come whenever the page paints, to the frames of a constant-rate video.

export interface GridSettings {
  /** Number of frames. */
  readonly count: number;
  readonly fps: number;
  /** Limit for the base64 length of all waiting images; a single one may exceed it. */
  readonly maxLength: number;
}

/**
 * Holds the images of coming frames: each frame shows the newest image painted at or before its time, the first frame
 * the first image. Above `maxLength` the latest images are dropped, so that an image shown for a while is never out of
 * date.
 */
export class FrameGrid {
  readonly #settings: GridSettings;
  readonly #images = new Map<number, string>();
  #length = 0;
  #newestFrame = -1;
  #newestMs = Number.NEGATIVE_INFINITY;
  #taken = -1;

  constructor(settings: GridSettings) {
    this.#settings = settings;
  }

  /** When the newest image was painted, in milliseconds from the first frame. */
  get newestMs(): number {
    return this.#newestMs;
  }

  /** Stores an image painted `ms` after the first frame, unless a newer one is stored already. */
  put(ms: number, image: string): void {
    const { count, fps, maxLength } = this.#settings;
    if (ms < this.#newestMs) return;
    this.#newestMs = ms;
    // An image that comes too late for its frame goes to the next one.
    const frame = Math.max(0, this.#taken + 1, Math.ceil((ms * fps) / 1000 - ROUNDING));
    if (frame >= count) return;
    const isFull = this.#length + image.length > maxLength && this.#newestFrame > 0;
    if (isFull) this.#remove(this.#newestFrame);
    this.#remove(frame);
    this.#images.set(frame, image);
    this.#length += image.length;
    this.#newestFrame = frame;
  }

  /** Removes and returns the image of a frame; undefined when it is the same as that of the frame before. */
  take(frame: number): string | undefined {
    const image = this.#images.get(frame);
    this.#remove(frame);
    this.#taken = frame;
    return image;
  }

  #remove(frame: number): void {
    this.#length -= this.#images.get(frame)?.length ?? 0;
    this.#images.delete(frame);
  }
}

/** Tolerance for rounding errors, as a share of a frame. */
const ROUNDING = 1e-6;
