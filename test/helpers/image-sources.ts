/** The complete service with image sources, as in-house plugins add them, and a page with images. */
import type { Test } from 'tap'
import type { PluginEntry } from '../../config/define-config.ts'
import type { Logger } from '../../kernel/index.ts'
import {
  imageSources,
  type FoundImage,
  type ImageRequest,
  type ImageSource,
} from '../../plugins/media/port.ts'
import { withPlanner } from './chat.ts'
import { follower } from './followed-chat.ts'
import type { ModelServer } from './model-server.ts'
import { startStack, temporaryFolder } from './stack.ts'
import { giving } from './plain.ts'

export const startPages = [
  {
    id: 'p_home',
    slug: '/',
    title: 'Boats for the lake',
    updatedAt: '2026-01-01T12:00:00.000Z',
    blocks: [
      {
        id: 'b_hero',
        type: 'Hero',
        props: { heading: 'Paddle the fjord', subheading: '', imageUrl: '/img/old.jpg', imageAlt: 'Old' },
      },
      {
        id: 'b_cards',
        type: 'CardGrid',
        props: {
          title: 'Our fleet',
          cards: [
            { title: 'Red kayak' },
            { title: 'Canoe', imageUrl: '/img/canoe.jpg', imageAlt: 'A canoe' },
            { title: 'Family boat' },
          ],
        },
      },
      {
        id: 'b_faq',
        type: 'FAQAccordion',
        props: { title: 'Questions', items: [{ q: 'Where?', a: 'Here.' }] },
      },
    ],
  },
]

export type Find = (request: ImageRequest) => FoundImage | undefined | Promise<FoundImage | undefined>

/** An image source as an in-house plugin adds one, and the queries that it received. */
export function sourceOf(
  kind: ImageSource['kind'],
  find: Find,
  { available = true }: { readonly available?: boolean } = {},
) {
  const asked: string[] = []
  const source: ImageSource = {
    kind,
    available,
    find: async (request) => (asked.push(request.query), find(request)),
  }
  return { asked, plugin: giving(`images-${kind}`, imageSources, source) }
}

/** An address for each query. */
export const named =
  (folder: string): Find =>
  ({ query }) => ({
    address: `https://images.example/${folder}/${encodeURIComponent(query)}.jpg`,
    alt: `Shows ${query}`,
  })
export const at = (folder: string, query: string): string =>
  `https://images.example/${folder}/${encodeURIComponent(query)}.jpg`

/** Sources without a usable image. */
export const withoutImage = [
  ['nothing found', () => undefined],
  ['a source that throws', () => Promise.reject(new Error('sk-secret'))],
  ['a source that hangs', () => new Promise<undefined>(() => undefined)],
  ['an address that runs', () => ({ address: 'javascript:alert(1)' })],
] as const

/** A source that finds images, and runs a given job once during the next search. */
export function interrupted() {
  let whileSearching: (() => Promise<unknown>) | undefined
  const source = sourceOf('stock', async (request) => {
    const job = whileSearching
    whileSearching = undefined
    await job?.()
    return named('stock')(request)
  })
  return { source, whileSearching: (job: () => Promise<unknown>) => void (whileSearching = job) }
}

/** A plugin, and the queries that its source received. */
export interface TestImageSource {
  readonly asked: readonly string[]
  readonly plugin: PluginEntry
}

export interface ImageChatOptions {
  readonly env?: Readonly<Record<string, string>>
  /** The language model; by default none. */
  readonly model?: ModelServer
  readonly longestImageMs?: number
  readonly log?: Logger
}

/** A planner that asks for the images that a message lists, as JSON. */
const wishes = withPlanner({
  name: 'wishes',
  available: true,
  plan: async ({ message }) => ({
    kind: 'plan',
    plan: { summary: 'I will.', changeLog: [], ops: [], images: JSON.parse(message) },
  }),
})

/** Starts the complete service with these sources, and a client of a page with images. */
export async function startImageChat(
  t: Test,
  sources: readonly TestImageSource[],
  { env = {}, model, longestImageMs = 5_000, log }: ImageChatOptions = {},
) {
  const stack = await startStack(t, {
    ...(log && { log }),
    dataDir: temporaryFolder(t),
    env: { ...(model && { ANTHROPIC_API_KEY: 'sk-ant-test', ANTHROPIC_BASE_URL: model.origin }), ...env },
    plugins: [
      ['chat', { longestImageMs }],
      ...sources.map(({ plugin }) => plugin),
      ...(model ? [] : [wishes]),
    ],
  })
  const client = follower(t, stack)
  const { edit } = client
  await edit.bootstrap(startPages)
  const say = async (message: string, more: object = {}) =>
    Object((await edit.send('/chat', { slug: '/', message, ...more })).json())
  const props = async (): Promise<readonly Record<string, unknown>[]> =>
    (await edit.page('/')).blocks.map((block) => block.props)
  return {
    stack,
    ...client,
    say,
    /** Asks for these images, without a model. */
    wish: (images: readonly object[], more: object = {}) => say(JSON.stringify(images), more),
    /** Asks for an image of the hero, without a model. */
    wishHero: (query: string, more: object = {}) => say(JSON.stringify([{ blockId: 'b_hero', query }]), more),
    hero: async () => (await props())[0]?.['imageUrl'],
    cards: async () => [(await props())[1]?.['cards']].flat().map((card) => Object(card).imageUrl),
    props,
  }
}
