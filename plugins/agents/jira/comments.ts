import type { PageLinks } from './site.ts'

/** The first line of each kind of comment. Never change these: old comments are recognized by them. */
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

/** Returns the kind of comment whose headline a text starts with. */
export function headlineIn(text: string): CommentKind | undefined {
  const first = text.trimStart().split('\n', 1)[0]?.replaceAll(/[*\\]/g, '').trim() ?? ''
  return Object.keys(headlines)
    .filter(isKind)
    .find((kind) => headlines[kind] === first)
}

const isKind = (word: string): word is CommentKind => Object.hasOwn(headlines, word)

/** Formats a comment in light markdown, starting with its headline. */
export const toComment = (kind: CommentKind, ...parts: readonly string[]): string =>
  [`**${headlines[kind]}**`, ...parts.filter((part) => part !== '')].join('\n')

const items = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join('\n')
const mostListed = 30
const listed = (lines: readonly string[]): string =>
  items(
    lines.length > mostListed
      ? [...lines.slice(0, mostListed), `and ${lines.length - mostListed} more`]
      : lines,
  )

export const comments = {
  questions: (questions: readonly string[], reason: string): string =>
    toComment(
      'questions',
      reason,
      questions.map((question, at) => `${at + 1}. ${question}`).join('\n'),
      'Please answer in a comment. Nothing has changed.',
    ),
  plan: (plan: readonly string[], next: string): string =>
    toComment('plan', 'Planned steps:', items(plan), next),
  cap: (passes: number): string =>
    toComment(
      'cap',
      `This ticket was reviewed ${passes} times. To have it reviewed again, add the missing details in a comment or change the description.`,
    ),
  draft: ({
    intro,
    changes,
    links,
    summary,
    next,
    facts,
  }: {
    readonly intro: string
    readonly changes: readonly string[]
    readonly links: readonly PageLinks[]
    readonly summary: string
    readonly next: string
    readonly facts: string
  }): string =>
    toComment(
      'draft',
      intro,
      listed(changes),
      links.length > 0 ? `**Preview**\n${items(links.slice(0, mostListed).map(linkLine))}` : '',
      summary,
      next,
      facts === '' ? '' : `_${facts}_`,
    ),
  published: (slugs: readonly string[], isFinal: boolean): string =>
    toComment(
      'published',
      isFinal
        ? 'Published pages:'
        : 'These pages were submitted for publishing. The deployment is in progress and may still fail; the publish log has its status.',
      listed(slugs),
    ),
  failed: (reason: string, retry: string): string => toComment('failed', reason, retry),
  whichSite: (names: readonly string[]): string =>
    toComment(
      'which-site',
      names.length > 0
        ? 'This ticket could refer to several sites. Name one of them in a comment:'
        : 'No site is registered. Register one or set JIRA_SITE_ID, and comment again.',
      listed(names),
    ),
}

const linkLine = ({ slug, preview, editor }: PageLinks): string =>
  `[${slug}](${preview})${editor === undefined ? '' : ` · [open in the editor](${editor})`}`

/** The thinking of a model; an unclosed tag extends to the end. */
const thinking = ['think', 'thinking', 'scratch', 'scratchpad', 'reasoning', 'reflection'].map(
  (tag) => new RegExp(`<${tag}>[^]*?(?:</${tag}>|$)`, 'gi'),
)

/** Prepares a model's text for people: without its thinking, and cut to `most` characters. */
export function clean(text: string, most: number): string {
  const cleaned = thinking.reduce((rest, tag) => rest.replace(tag, ''), text.slice(0, 10 * most)).trim()
  return cleaned.length > most ? `${cleaned.slice(0, most).replace(/[\ud800-\udbff]$/, '')}…` : cleaned
}

/** Cleans a text, and puts it on one line. */
export const cleanLine = (text: string, most: number): string => clean(text, most).replace(/\s+/g, ' ')
