/** A website with a block type that has a field of every kind. */
import type { Test } from 'tap'
import { startSite } from '../helpers/upstream.ts'
import { colleague } from './browser.ts'

const string = { type: 'string' }
const properties = {
  heading: { ...string, maxLength: 30 },
  intro: string,
  body: string,
  markup: string,
  target: string,
  page: { type: 'object', properties: { href: string, label: string } },
  partner: {},
  picture: string,
  pictureAlt: string,
  tone: { ...string, enum: ['calm', 'loud'] },
  shade: string,
  amount: { type: 'number', maximum: 10 },
  level: string,
  isShown: { type: 'boolean' },
  tags: { type: 'array', items: string },
  photos: { type: 'array', items: string },
  story: {},
  people: {
    type: 'array',
    items: {
      type: 'object',
      properties: {
        name: string,
        links: {
          type: 'array',
          items: {
            type: 'object',
            properties: { label: string, href: string, logo: string, logoAlt: string },
          },
        },
      },
    },
  },
}
const fields = {
  heading: { kind: 'text', label: 'Heading', required: true },
  intro: { kind: 'text', label: 'Intro', multiline: true },
  body: { kind: 'richtext', label: 'Body' },
  markup: { kind: 'html', label: 'Markup' },
  target: { kind: 'link', label: 'Target' },
  page: { kind: 'link', label: 'Landing page' },
  partner: { kind: 'reference', label: 'Partner', referenceLabelKey: 'name' },
  picture: { kind: 'image', label: 'Picture' },
  pictureAlt: { kind: 'imageAlt', label: 'Picture description' },
  tone: { kind: 'enum', label: 'Tone', options: ['calm', 'loud'] },
  shade: { kind: 'color', label: 'Shade' },
  amount: { kind: 'number', label: 'Amount' },
  level: { kind: 'headingLevel', label: 'Level' },
  isShown: { kind: 'text', label: 'Is shown' },
  tags: { kind: 'stringList', label: 'Tags' },
  photos: { kind: 'imageList', label: 'Photos' },
  story: { kind: 'richtext', label: 'Story' },
  people: {
    kind: 'list',
    label: 'People',
    itemFields: {
      name: { kind: 'text', label: 'Name' },
      links: {
        kind: 'list',
        label: 'Links',
        itemFields: {
          label: { kind: 'text', label: 'Label' },
          href: { kind: 'url', label: 'Address' },
          logo: { kind: 'image', label: 'Logo' },
          logoAlt: { kind: 'imageAlt', label: 'Logo description' },
        },
      },
    },
  },
}
const manifest = {
  version: 1,
  blocks: [
    {
      type: 'Every',
      displayName: 'Every kind',
      propsSchema: { type: 'object', properties, required: ['heading'] },
      fields,
    },
  ],
}

export const everyKind = {
  heading: 'A heading',
  intro: 'An intro',
  body: 'One **bold** word.\n\nAnother  paragraph\\\nas it is.',
  markup: '<p>A <b>text</b></p>\n\n<ul>\n  <li>one</li>\n</ul>',
  target: '/other',
  page: { href: '/', label: 'Home', rel: 'nofollow' },
  partner: { _ref: 'p_17', name: 'Harbor Rowing' },
  picture: '/boat.png',
  pictureAlt: 'A boat',
  tone: 'calm',
  shade: '#336699',
  amount: 5,
  isShown: true,
  tags: ['red', 'green'],
  photos: ['/one.png', '/two.png'],
  story: [{ _type: 'block', children: [{ _type: 'span', text: 'Told by the CMS' }] }],
  people: [
    { name: 'Ana', links: [{ label: 'First', href: '/' }] },
    { name: 'Ben', links: [] },
    { name: 'Cho', links: [] },
  ],
}

export type Props = Readonly<Record<string, unknown>>

/** Registers the website with a page of such blocks; returns how its first block reads now. */
export async function serveKinds(t: Test, service: string, blocks: readonly Props[] = [everyKind]) {
  const { origin: previewUrl } = await startSite(t, (request, response) => {
    const isManifest = request.url === '/api/editor/blocks'
    response.setHeader('content-type', isManifest ? 'application/json' : 'text/html')
    response.end(isManifest ? JSON.stringify(manifest) : '<h1>Kinds</h1>')
  })
  const post = async (path: string, body: object): Promise<void> => {
    const answer = await colleague(service).send(path, { siteId: 'kinds', ...body })
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
  }
  await post('/sites/register', { name: 'Kinds', previewUrl })
  const updatedAt = '2026-01-01T12:00:00.000Z'
  const page = (slug: string, title: string, all: readonly Props[]) => ({
    id: `p_${title.toLowerCase()}`,
    slug,
    title,
    updatedAt,
    blocks: all.map((props, at) => ({ id: `b_${at + 1}`, type: 'Every', props })),
  })
  await post('/draft/bootstrap', { pages: [page('/', 'Kinds', blocks), page('/other', 'Other', [])] })
  const read = async (path: string): Promise<unknown> =>
    (await fetch(`${service}${path}siteId=kinds&session=dev`)).json()
  return {
    /** The props of the first block, as the draft has them. */
    async props(): Promise<Props> {
      const { blocks: all } = (await read('/draft/pages?slug=/&')) as {
        readonly blocks: readonly { readonly props: Props }[]
      }
      return all[0]?.props ?? {}
    },
    /** The sentences of the history, newest first. */
    async lines(): Promise<readonly unknown[]> {
      const { entries } = (await read('/history/log?')) as { readonly entries: readonly unknown[] }
      return entries
    },
    send: (ops: readonly object[]) =>
      post('/ops', {
        ops: ops.map((op) => ({ pageSlug: '/', blockId: 'b_1', ...op })),
        componentsManifest: manifest,
      }),
  }
}

export type KindsSite = Awaited<ReturnType<typeof serveKinds>>
