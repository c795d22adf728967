// The devices a capture can emulate: puppeteer's list, and a generic desktop, tablet and phone.
import { KnownDevices } from "puppeteer-core/internal/common/Device.js";

export interface Device {
  /** `iPhone 15 Pro landscape` */
  readonly name: string;
  /** `iphone_15_pro_landscape` */
  readonly slug: string;
  /** Chrome user agents have a placeholder version; a capture inserts that of its Chromium. */
  readonly userAgent: string;
  /** Viewport width in CSS pixels. */
  readonly width: number;
  readonly height: number;
  /** Pixels per CSS pixel. */
  readonly scale: number;
  readonly mobile: boolean;
  readonly touch: boolean;
}

/** Finds a device by name or slug, in any case: `iPhone 15 Pro`, `iphone_15_pro`, `iphone-15-pro`. */
export function findDevice(name: string): Device | undefined {
  return name.length <= MAX_NAME_CHARACTERS ? bySlug.get(toSlug(name)) : undefined;
}

/** The slug of the device that differs from a name by its number alone, the closest such: `iphone_17` for `iPhone 99`. */
export function closestGeneration(name: string): string | undefined {
  const slug = toSlug(name.slice(0, MAX_NAME_CHARACTERS));
  const family = withoutNumber(slug);
  if (family === slug) return undefined;
  const distance = (other: string) => Math.abs(generation(other) - generation(slug));
  const siblings = deviceSlugs.filter((other) => other !== slug && withoutNumber(other) === family);
  return siblings.toSorted((one, other) => distance(one) - distance(other))[0];
}

function withoutNumber(slug: string): string {
  return slug.replace(/\d+/, "#");
}

function generation(slug: string): number {
  return Number(/\d+/.exec(slug)?.[0]);
}

const MAX_NAME_CHARACTERS = 64;

/** Generic devices with the user agent that Chromium has on them. */
const plain: readonly Omit<Device, "slug">[] = [
  {
    name: "Desktop",
    userAgent: chrome("X11; Linux x86_64"),
    width: 1280,
    height: 1024,
    scale: 1,
    mobile: false,
    touch: false,
  },
  {
    name: "Tablet",
    userAgent: chrome("Linux; Android 10; K"),
    width: 820,
    height: 1180,
    scale: 2,
    mobile: true,
    touch: true,
  },
  {
    name: "Mobile",
    userAgent: chrome("Linux; Android 10; K", "Mobile "),
    width: 390,
    height: 844,
    scale: 3,
    mobile: true,
    touch: true,
  },
];

/** The reduced user agent of Chrome, which only differs by its version: https://www.chromium.org/updates/ua-reduction */
function chrome(platform: string, mobile = ""): string {
  return `Mozilla/5.0 (${platform}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/0.0.0.0 ${mobile}Safari/537.36`;
}

const known = Object.entries(KnownDevices).map(([name, { userAgent, viewport }]) => ({
  name,
  userAgent,
  width: viewport.width,
  height: viewport.height,
  scale: viewport.deviceScaleFactor ?? 1,
  mobile: viewport.isMobile ?? false,
  touch: viewport.hasTouch ?? false,
}));

const devices: readonly Device[] = [...plain, ...known].map((device) => ({ ...device, slug: toSlug(device.name) }));
const bySlug: ReadonlyMap<string, Device> = new Map(devices.map((device) => [device.slug, device]));

/** Names of all devices, the generic ones first. */
export const deviceNames: readonly string[] = devices.map(({ name }) => name);
export const deviceSlugs: readonly string[] = devices.map(({ slug }) => slug);

/** Lowercase words of letters and digits. `+` becomes a word, because it distinguishes two phones. */
function toSlug(name: string): string {
  const words = name
    .toLowerCase()
    .replaceAll("+", " plus ")
    .match(/[a-z0-9]+/g);
  return words?.join("_") ?? "";
}
