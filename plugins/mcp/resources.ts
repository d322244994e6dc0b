import * as v from 'valibot'
import { decoded } from '../content/slugs.ts'
import type { Host } from './host.ts'
import { ask, type CallingHost, withoutSecrets } from './send.ts'
import type { ToolSettings } from './settings.ts'
import { blockTypes } from './tools/read.ts'
import { expected, type ToolRequest } from './tools/tool.ts'

const scheme = 'orchestrator://'
const pages = `${scheme}pages/`
const mimeType = 'application/json'
/** The number of pages per list of resources. */
const listLength = 200

const fixed = {
  [`${scheme}block-types`]: { name: 'Block types', description: 'The available block types.' },
  [`${scheme}history`]: { name: 'History', description: 'The newest changes of the draft.' },
} as const

export const templates = [
  {
    uriTemplate: `${pages}{slug}`,
    name: 'Page',
    description: 'A page of the draft by its URL-encoded slug.',
    mimeType,
  },
] as const

const Listed = v.object({ pages: v.array(v.object({ slug: v.string(), title: v.string() })) })

/** Lists the pages of the draft and the fixed resources. An invalid cursor starts from the beginning. */
export async function listResources(host: Host, caller: CallingHost, cursor: string | undefined) {
  const start = /^\d{1,6}$/.test(cursor ?? '') ? Number(cursor) : 0
  const all = expected(
    Listed,
    (await ask(host, { ...caller, named: 'The list of resources' }, { method: 'GET', path: '/draft/slugs' }))
      .json,
  ).pages
  const end = start + listLength
  const listed = all
    .slice(start, end)
    .map(({ slug, title }) => ({
      uri: pages + encodeURIComponent(slug),
      name: withoutSecrets(host.secrets, title),
      mimeType,
    }))
  const fixedOnes = Object.entries(fixed).map(([uri, facts]) => ({ uri, ...facts, mimeType }))
  const resources = start === 0 ? [...fixedOnes, ...listed] : listed
  return { resources, ...(end < all.length && { nextCursor: String(end) }) }
}

/** Returns the JSON of a resource; `undefined` for an unknown address. */
export async function readResource(
  host: Host,
  caller: CallingHost,
  uri: string,
): Promise<string | undefined> {
  const clean = (value: unknown): string => withoutSecrets(host.secrets, JSON.stringify(value))
  if (uri === `${scheme}block-types`)
    return clean(await blockTypes({ ask: (request) => ask(host, { ...caller, named: uri }, request) }))
  const request = requestFor(uri)
  return request && clean((await ask(host, { ...caller, named: uri }, request)).json)
}

function requestFor(uri: string): ToolRequest | undefined {
  if (uri === `${scheme}history`) return { method: 'GET', path: '/history/log' }
  const slug = uri.startsWith(pages) ? decoded(uri.slice(pages.length)) : undefined
  return slug === undefined || slug === ''
    ? undefined
    : { method: 'GET', path: '/draft/pages', query: { slug } }
}

/** A prompt that people choose in their host. */
interface Prompt {
  readonly name: string
  readonly description: string
  readonly arguments: { readonly name: string; readonly description: string; readonly required: boolean }[]
  text(given: Readonly<Record<string, string>>, tool: (name: string) => string): string
}

const slug = { name: 'slug', description: 'The slug of the page, such as "/about".', required: true }

/** Formats an argument as a quoted line. */
const quoted = (given: string | undefined): string => JSON.stringify(given ?? '')

export const prompts: readonly Prompt[] = [
  {
    name: 'edit-page',
    description: 'Edits a page as requested.',
    arguments: [slug, { name: 'request', description: 'What to change.', required: true }],
    text: ({ slug, request }, tool) =>
      `Edit the page ${quoted(slug)}: ${quoted(request)}. Read ${tool('get-outline')} first, then only the relevant blocks with ${tool('get-block')}, then change them with ${tool('edit-content')}. Tell me what you changed. Do not publish.`,
  },
  {
    name: 'review-draft',
    description: 'Reviews what would be published.',
    arguments: [],
    text: (_, tool) =>
      `Review my draft before it is published: ${tool('compute-publish-diff')} lists what changed, ${tool('list-checks')} what is wrong. Summarize both, most important first, and propose what to do. Change nothing.`,
  },
  {
    name: 'translate-page',
    description: 'Translates the text of a page.',
    arguments: [slug, { name: 'language', description: 'The target language.', required: true }],
    text: ({ slug, language }, tool) =>
      `Translate the text of the page ${quoted(slug)} into ${quoted(language)}, block by block with ${tool('get-outline')}, ${tool('get-block')} and ${tool('edit-content')}. Leave links, images and ids unchanged. Do not publish.`,
  },
]

/** Returns the text of a prompt, or a problem with its arguments; `undefined` for an unknown prompt. */
export function writePrompt(
  name: string,
  given: Readonly<Record<string, string>>,
  { prefix }: Pick<ToolSettings, 'prefix'>,
): { readonly text: string } | { readonly problem: string } | undefined {
  const prompt = prompts.find((each) => each.name === name)
  const missing = prompt?.arguments.find(({ name, required }) => required && !given[name])
  if (missing) return { problem: `The prompt needs the argument ${missing.name}.` }
  return prompt && { text: prompt.text(given, (tool) => prefix + tool) }
}
