import { service } from '../../kernel/index.ts'

/** Takes pictures of pages for other plugins. */
export interface PageCamera {
  /**
   * A JPEG of a whole page in base64, loaded by the guarded way out. Refuses with 502 a page that cannot be shown, with 503 where
   * there is no browser, and with 429 where too many wait.
   */
  photograph(url: URL, options: { readonly allowOrigin?: boolean; readonly signal: AbortSignal }): Promise<string>
}

/** Takes pictures of pages, loaded by the guarded way out. */
export const pageCamera = service<PageCamera>('preview.camera')
