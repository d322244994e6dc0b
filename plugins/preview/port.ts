import { service } from '../../kernel/index.ts'

/** Captures pages for other plugins. */
export interface PageCamera {
  /**
   * A JPEG of a complete page in base64, loaded through `outbound`. Refuses with 502 if the page cannot be shown, with 503 without a
   * browser, and with 429 if too many requests are waiting.
   */
  photograph(url: URL, options: { readonly allowOrigin?: boolean; readonly signal: AbortSignal }): Promise<string>
}

/** Captures screenshots of pages, loaded through `outbound`. */
export const pageCamera = service<PageCamera>('preview.camera')
