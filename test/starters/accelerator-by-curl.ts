/**
 * A published starter of Astro, with its sample: front matter in a form of its own, directives, and files
 * without a line end.
 */
import type { EditedSite } from './edited-site.ts'

const index = '/~src/pages/index.md'
const post = '/~src/pages/articles/2022/09/sample-post-1.md'
const author = '/~src/pages/authors/test-author.md'

export const acceleratorByCurl: EditedSite = {
  name: 'Astro Accelerator',
  made: { by: 'package', name: 'astro-accelerator@5', folders: ['.', 'sample'] },
  pages: [
    'src/data/language.json',
    'src/pages/404.md',
    'src/pages/articles.md',
    'src/pages/articles/2022/09/sample-post-1.md',
    'src/pages/authors/test-author.md',
    'src/pages/index.md',
    'src/pages/search.md',
  ],
  ops: [
    { op: 'rename_page', pageSlug: index, newTitle: 'Welcome: boats & oars' },
    {
      op: 'update_page_meta',
      pageSlug: index,
      patch: { description: 'An accelerator for a very, very clean version of Astro.' },
    },
    {
      op: 'update_props',
      pageSlug: index,
      blockId: { ofType: 'Details' },
      patch: { navOrder: 7, bannerImage: { src: '/img/surface-accessories.png', alt: 'A desk' } },
    },
    {
      op: 'add_block',
      pageSlug: index,
      afterBlockId: { ofType: 'Component' },
      block: { id: 'b_end', type: 'Paragraph', props: { text: 'The end.' } },
    },
    {
      op: 'update_props',
      pageSlug: post,
      blockId: { ofType: 'Details' },
      patch: { tags: ['Sample', 'Boats'], categories: ['Examples'], pubDate: '2026-11-29' },
    },
    {
      op: 'update_props',
      pageSlug: post,
      blockId: {
        ofType: 'Paragraph',
        text: 'This is an example post with more of the front matter set up, such as except and images.',
      },
      patch: { text: 'This is an example post, with a [link](../../../index.md).' },
    },
    { op: 'update_page_meta', pageSlug: author, patch: { description: "Jane's profile" } },
    {
      op: 'update_props',
      pageSlug: '/~src/pages/articles.md',
      blockId: { ofType: 'Details' },
      patch: { paged: false },
    },
    { op: 'rename_page', pageSlug: index, newPageSlug: '/~src/pages/home/index.md' },
    { op: 'create_page', page: { slug: '/~src/pages/authors/ada.md', title: 'Ada', blocks: [] } },
  ],
  changed: {
    'src/pages/articles.md': ['-paged: true', '+paged: false'],
    'src/pages/articles/2022/09/sample-post-1.md': [
      '-pubDate: 2022-09-01',
      '+pubDate: 2026-11-29',
      '-    - Example',
      '+    - Examples',
      '+    - Boats',
      '-This is an example post with more of the front matter set up, such as except and images.',
      '+This is an example post, with a [link](../../../home/index.md).',
    ],
    'src/pages/authors/ada.md': ['new file', '+---', "+title: 'Ada'", '+---'],
    'src/pages/authors/test-author.md': [
      "-description: Jane Doe's profile on Astro Accelerator",
      "+description: Jane's profile",
    ],
    'src/pages/home/index.md': [
      'rename from src/pages/index.md',
      '-title: Welcome to Astro Accelerator',
      "+title: 'Welcome: boats & oars'",
      '-navOrder: 0',
      '+navOrder: 7',
      '-description: An accelerator for a very clean version of Astro.',
      '+description: An accelerator for a very, very clean version of Astro.',
      '-    alt: Dummy image',
      '+    alt: A desk',
      '-:::',
      '\\ No newline at end of file',
      '+:::',
      '+',
      '+The end.',
      '\\ No newline at end of file',
    ],
  },
  refused: [
    {
      op: {
        op: 'update_props',
        pageSlug: author,
        blockId: { ofType: 'Details' },
        patch: { layout: 'src/layouts/Default.astro' },
      },
      reason: /layout/,
    },
    {
      op: { op: 'update_props', pageSlug: post, blockId: { ofType: 'Details' }, patch: { colour: 'red' } },
      reason: /No file of its folder has the key colour/,
    },
    {
      op: { op: 'update_props', pageSlug: post, blockId: 'b_none', patch: { text: 'x' } },
      reason: /no block b_none/,
    },
    { op: { op: 'move_block', pageSlug: author, blockId: { ofType: 'Details' } }, reason: /pinned/ },
  ],
}
