// Chooses where the pictures for a model are made: in the renderer, where the stage has one, since an image has the bytes that a page
// which has broken out of Chromium chose, and this function sees the API keys of all accounts.
import { createHash } from "node:crypto";
import { environment, optionalVariable } from "../platform/environment.ts";
import type { ModelPictures, PictureRequest } from "./picture-limits.ts";

/** False in the bundle of a function that doesn't decode images, because the renderer does. */
declare const HAS_ENGINE: boolean;

interface PictureSource {
  /** The API key of the caller. */
  readonly key: string;
  /** The bytes of a stored image. */
  readonly download: (link: string) => Promise<Buffer>;
}

/** Makes pictures of the stored image of a link. Throws `NoPicture` where it can't be shown. */
export async function makePictures(
  link: string,
  request: PictureRequest,
  { key, download }: PictureSource,
): Promise<ModelPictures> {
  const functionName = optionalVariable("RENDERER_FUNCTION");
  if (functionName !== undefined) {
    const { renderPictures } = await import("../rendering/remote-pictures.ts");
    const { chooseTenant } = await import("../rendering/tenant.ts");
    const { TENANT_ISOLATION, TENANT_POOL: tenantPool } = environment("TENANT_ISOLATION", "TENANT_POOL");
    const tenantId = chooseTenant(ownerOf(key), { isolatesTenants: TENANT_ISOLATION === "on", tenantPool });
    return renderPictures({ link, ...request }, { functionName, ...(tenantId !== undefined && { tenantId }) });
  }
  if (typeof HAS_ENGINE === "undefined" || HAS_ENGINE) {
    const { modelPictures } = await import("./model-picture.ts");
    return modelPictures(await download(link), request);
  }
  throw new Error("The variable RENDERER_FUNCTION is missing: this function can't decode images.");
}

/** An owner for each key: the account of a key is unknown here, and a key belongs to one. */
const ownerOf = (key: string) => `key-${createHash("sha256").update(key).digest("hex")}`;
