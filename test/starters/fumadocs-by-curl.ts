/** Documentation with data files, as the generator of Fumadocs makes it for Astro and for Vite. */
import type { EditedSite } from './edited-site.ts'

const index = '/~content/docs/index.mdx'
const test = '/~content/docs/test.mdx'
const meta = '/~content/docs/meta.json'
const cards = `<Card title="Learn more about Astro" href="https://astro.build">
  The web framework for content-driven websites
</Card>
<Card title="Learn more about Fumadocs" href="https://fumadocs.dev">
  The docs framework by Fuma
</Card>`

export const fumadocsByCurl: EditedSite = {
  name: 'Fumadocs with Astro',
  made: {
    by: 'generator',
    command: ['--yes', 'create-fumadocs-app@latest', '{name}', '--yes', '--no-git', '--template', 'astro'],
  },
  pages: ['content/docs/index.mdx', 'content/docs/meta.json', 'content/docs/test.mdx'],
  ops: [
    { op: 'rename_page', pageSlug: index, newTitle: 'Hello "boats"' },
    {
      op: 'update_props',
      pageSlug: index,
      blockId: { ofType: 'Heading', text: "What's next?" },
      patch: { level: 3, text: "What's *next*?" },
    },
    {
      op: 'update_props',
      pageSlug: index,
      blockId: { ofType: 'Code' },
      patch: { text: "console.log('Hello boats');" },
    },
    {
      op: 'update_props',
      pageSlug: index,
      blockId: { ofType: 'Component' },
      patch: { source: cards.replace('driven', 'led').replace('astro.build', 'docs.astro.build') },
    },
    {
      op: 'update_props',
      pageSlug: meta,
      blockId: { ofType: 'Data' },
      patch: { pages: ['index', '...', 'test'] },
    },
    { op: 'move_block', pageSlug: test, blockId: { ofType: 'Code' }, afterBlockId: { ofType: 'Component' } },
    {
      op: 'create_page',
      page: {
        slug: '/~content/docs/guide/new~20boats.mdx',
        title: 'New boats',
        meta: { description: 'How to: build' },
        blocks: [
          {
            id: 'b_t',
            type: 'Table',
            props: {
              rows: [
                ['Wood', 'Use'],
                ['Oak | ash', 'Keel'],
              ],
            },
          },
        ],
      },
    },
  ],
  changed: {
    'content/docs/guide/new boats.mdx': [
      'new file',
      '+---',
      "+title: 'New boats'",
      "+description: 'How to: build'",
      '+---',
      '+',
      '+| Wood | Use |',
      '+| --- | --- |',
      '+| Oak \\| ash | Keel |',
    ],
    'content/docs/index.mdx': [
      '-title: Hello World',
      '+title: Hello "boats"',
      "-console.log('Hello World');",
      "+console.log('Hello boats');",
      "-## What's next?",
      "+### What's *next*?",
      '-  <Card title="Learn more about Astro" href="https://astro.build">',
      '-    The web framework for content-driven websites',
      '+  <Card title="Learn more about Astro" href="https://docs.astro.build">',
      '+    The web framework for content-led websites',
    ],
    'content/docs/meta.json': ['-  "pages": ["..."]', '+  "pages": ["index", "...", "test"]'],
    'content/docs/test.mdx': [
      '-```js',
      "-console.log('Hello World');",
      '-```',
      '-',
      '+',
      '+```js',
      "+console.log('Hello World');",
      '+```',
    ],
  },
  refused: [
    {
      op: {
        op: 'update_props',
        pageSlug: index,
        blockId: { ofType: 'Component' },
        patch: { source: '<script>alert(1)</script>' },
      },
      reason: /code/,
    },
    {
      op: { op: 'duplicate_page', pageSlug: meta, newPageSlug: '/~content/docs/a.json', newTitle: 'A' },
      reason: /Only documents are created/,
    },
    {
      op: {
        op: 'add_block',
        pageSlug: index,
        block: { id: 'b_x', type: 'Paragraph', props: { text: 'Two\n\nparagraphs' } },
      },
      reason: /A paragraph cannot hold an empty line/,
    },
    { op: { op: 'create_page', page: { slug: '/~content/docs/../../a.md', title: 'Out' } }, reason: /slug/ },
    {
      op: { op: 'create_page', page: { slug: '/guide', title: 'Guide' } },
      reason: /its slug is \/~ and a path/,
    },
  ],
}
