// Puts pictures that come whenever the page was painted into the frames of a video, each of which has its moment.

export interface GridSettings {
  /** Frames of the video. */
  readonly count: number;
  readonly fps: number;
  /** What the pictures that wait may weigh together, but for a single one. */
  readonly maxLength: number;
}

/**
 * Holds the pictures that frames will need: each frame shows the newest one painted at or before its moment, and the
 * first frame the first one. More than `maxLength` are thinned out from the latest on, so that what is still shown after
 * a while is never out of date.
 */
export class FrameGrid {
  readonly #settings: GridSettings;
  readonly #pictures = new Map<number, string>();
  #length = 0;
  #newestFrame = -1;
  #newestMs = Number.NEGATIVE_INFINITY;
  #taken = -1;

  constructor(settings: GridSettings) {
    this.#settings = settings;
  }

  /** When the newest picture was painted, in milliseconds from the first frame. */
  get newestMs(): number {
    return this.#newestMs;
  }

  /** Keeps a picture that was painted `ms` after the moment of the first frame, unless a newer one is there already. */
  put(ms: number, picture: string): void {
    const { count, fps, maxLength } = this.#settings;
    if (ms < this.#newestMs) return;
    this.#newestMs = ms;
    // One that comes after its frame has been shown is shown by the next one.
    const frame = Math.max(0, this.#taken + 1, Math.ceil((ms * fps) / 1000 - ROUNDING));
    if (frame >= count) return;
    const isFull = this.#length + picture.length > maxLength && this.#newestFrame > 0;
    if (isFull) this.#remove(this.#newestFrame);
    this.#remove(frame);
    this.#pictures.set(frame, picture);
    this.#length += picture.length;
    this.#newestFrame = frame;
  }

  /** The picture of a frame, which is held no longer; undefined when it shows that of the frame before. */
  take(frame: number): string | undefined {
    const picture = this.#pictures.get(frame);
    this.#remove(frame);
    this.#taken = frame;
    return picture;
  }

  #remove(frame: number): void {
    this.#length -= this.#pictures.get(frame)?.length ?? 0;
    this.#pictures.delete(frame);
  }
}

/** Share of a frame that is nothing but the rounding of times. */
const ROUNDING = 1e-6;
