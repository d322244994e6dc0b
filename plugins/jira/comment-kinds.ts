/** The first line of every comment of this service, by what the comment is. It never changes: old comments are known by it. */
export const headlines = {
  questions: 'Site editor: questions',
  plan: 'Site editor: plan',
  cap: 'Site editor: waiting for you',
  draft: 'Site editor: draft ready',
  published: 'Site editor: published',
  failed: 'Site editor: failed',
  'which-site': 'Site editor: which site?',
} as const

export type CommentKind = keyof typeof headlines

const kinds: ReadonlyMap<string, string> = new Map(Object.entries(headlines).map(([kind, headline]) => [headline, kind]))

/** The kind whose headline a text begins with. */
export function headlineIn(text: string): CommentKind | undefined {
  const first = text.trimStart().split('\n', 1)[0]?.replaceAll(/[*\\]/g, '').trim() ?? ''
  const kind = kinds.get(first)
  return isKind(kind) ? kind : undefined
}

const isKind = (word: string | undefined): word is CommentKind => word !== undefined && Object.hasOwn(headlines, word)
