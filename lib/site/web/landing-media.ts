// What moves on the landing page: the pages of a PDF that are turned, and a video that plays where the visitor points at it.

for (const strip of document.querySelectorAll<HTMLElement>(".page-strip")) turnPages(strip);
for (const film of document.querySelectorAll<HTMLElement>(".film")) playFilm(film);

/** Shows the buttons of the strip, which turn by one page and are disabled at its ends. */
function turnPages(strip: HTMLElement): void {
  const row = strip.nextElementSibling as HTMLElement;
  const [previous, next] = row.querySelectorAll("button");
  if (!previous || !next) return;
  const turn = (direction: 1 | -1) => {
    const [first, second] = strip.children;
    const step = first && second ? second.getBoundingClientRect().left - first.getBoundingClientRect().left : 0;
    strip.scrollBy({ left: direction * step });
  };
  const update = () => {
    const end = strip.scrollWidth - strip.clientWidth;
    previous.ariaDisabled = String(strip.scrollLeft < 1);
    next.ariaDisabled = String(strip.scrollLeft > end - 1);
  };
  previous.addEventListener("click", () => turn(-1));
  next.addEventListener("click", () => turn(1));
  strip.addEventListener("scroll", update, { passive: true });
  new ResizeObserver(update).observe(strip);
  row.hidden = false;
}

/** Plays while the pointer is over it, and by its button; where motion is to be reduced, by the button alone. */
function playFilm(film: HTMLElement): void {
  const video = film.querySelector("video");
  const button = film.querySelector("button");
  if (!video || !button) return;
  const isReduced = matchMedia("(prefers-reduced-motion: reduce)");
  const play = async () => {
    button.textContent = "Pause";
    await load(video);
    if (button.textContent === "Pause") await video.play().catch(() => pause()); // the pointer may have left meanwhile
  };
  const pause = () => {
    button.textContent = "Play";
    video.pause();
  };
  const toggle = () => (button.textContent === "Play" ? void play() : pause());
  button.addEventListener("click", toggle);
  video.addEventListener("click", () => isReduced.matches || toggle());
  film.addEventListener("pointerenter", ({ pointerType }) => {
    if (pointerType === "mouse" && !isReduced.matches) void play();
  });
  film.addEventListener("pointerleave", ({ pointerType }) => pointerType === "mouse" && pause());
  button.hidden = false;
}

/** Loads the whole file: Safari plays an address only if its server answers requests for ranges, which API Gateway's don't. */
async function load(video: HTMLVideoElement): Promise<void> {
  if (video.src !== "") return;
  const { mp4 = "", webm = "" } = video.dataset;
  const response = await fetch(video.canPlayType('video/mp4; codecs="avc1.42E01E"') === "" ? webm : mp4);
  const file = await response.blob();
  if (video.src === "") video.src = URL.createObjectURL(file);
}
