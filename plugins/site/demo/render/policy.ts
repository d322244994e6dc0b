import { createHash } from 'node:crypto'
import { stylesheet } from './style.ts'

const styleHash = createHash('sha256').update(stylesheet).digest('base64')

/**
 * The content security policy of rendered pages without a script: no script at all, and no styles but their own.
 *
 * Style attributes are allowed because banners have their own colours. The server of the pages adds `frame-ancestors`.
 */
export const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src-elem 'sha256-${styleHash}'`,
  "style-src-attr 'unsafe-inline'",
  "img-src 'self' http: https: data:",
  "media-src 'self' http: https:",
  'frame-src http: https:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

/** The policy of a page with one script, which may call the site itself and `origin`. */
export function withScript(text: string, origin: string): string {
  const hash = createHash('sha256').update(text).digest('base64')
  return `${contentSecurityPolicy}; script-src 'sha256-${hash}'; connect-src 'self' ${origin}`
}
