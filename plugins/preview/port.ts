import { service } from '../../kernel/index.ts'

export interface PageCamera {
  /**
   * Returns a JPEG of a complete page in base64, loaded through `outbound`. Refuses with 502 if the page
   * cannot be shown, with 503 without a browser, and with 429 if too many requests wait.
   */
  photograph(
    url: URL,
    options: { readonly allowOrigin?: boolean; readonly signal: AbortSignal },
  ): Promise<string>
}

export { Screenshot } from './schemas.ts'

/** Captures screenshots of pages, loaded through `outbound`. */
export const pageCamera = service<PageCamera>('preview.camera')
