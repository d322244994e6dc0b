import { withLoopbackTwin } from '../../kernel/index.ts'

/** The directive of a content security policy that lets the site itself and its editors show a page in a frame. */
export function frameAncestors(editorOrigins: readonly string[]): string {
  return ["frame-ancestors 'self'", ...new Set(editorOrigins.flatMap(withLoopbackTwin))].join(' ')
}

/** What a draft page is sent with: only editors show it in a frame, and its address, which may hold the secret, stays here. */
export function draftHeaders(editorOrigins: readonly string[]): Readonly<Record<string, string>> {
  return {
    'cache-control': 'no-store',
    'content-security-policy': frameAncestors(editorOrigins),
    'referrer-policy': 'no-referrer',
  }
}
