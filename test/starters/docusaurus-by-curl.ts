/** The files of Docusaurus as its generator makes them, edited by a program. */
import { docusaurus } from './docusaurus.ts'
import type { EditedSite } from './edited-site.ts'

const [generated] = docusaurus
if (!generated) throw new Error('there is no Docusaurus')

const welcome = '/~blog/2021-08-26-welcome/index.mdx'
const intro = '/~docs/intro.mdx'
const features = 'docs/tutorial-basics/markdown-features.mdx'
const authors = '/~blog/authors.yml'
const translate = '/~docs/tutorial-extras/translate-your-site.mdx'
const category = '/~docs/tutorial-basics/_category_.json'

const blogOnly = 'Simply add Markdown files (or folders) to the `blog` directory.'
const twoNames = '- `2019-05-30-welcome.md`\n- `2019-05-30-welcome/index.md`'
const tips = 'Here are a few tips you might find useful.'

export const docusaurusByCurl: EditedSite = {
  name: generated.name,
  made: generated.made,
  pages: [
    'blog/2019-05-28-first-blog-post.mdx',
    'blog/2019-05-29-long-blog-post.mdx',
    'blog/2021-08-01-mdx-blog-post.mdx',
    'blog/2021-08-26-welcome/index.mdx',
    'blog/authors.yml',
    'blog/tags.yml',
    'docs/intro.mdx',
    'docs/tutorial-basics/_category_.json',
    'docs/tutorial-basics/congratulations.mdx',
    'docs/tutorial-basics/create-a-blog-post.mdx',
    'docs/tutorial-basics/create-a-document.mdx',
    'docs/tutorial-basics/create-a-page.mdx',
    'docs/tutorial-basics/deploy-your-site.mdx',
    features,
    'docs/tutorial-extras/_category_.json',
    'docs/tutorial-extras/manage-docs-versions.mdx',
    'docs/tutorial-extras/translate-your-site.mdx',
    'src/pages/markdown-page.mdx',
  ],
  ops: [
    { op: 'rename_page', pageSlug: welcome, newTitle: "Let's begin: a welcome" },
    {
      op: 'update_props',
      pageSlug: welcome,
      blockId: { ofType: 'Details' },
      patch: { tags: ['facebook', 'hello'] },
    },
    {
      op: 'update_props',
      pageSlug: welcome,
      blockId: { ofType: 'Paragraph', text: tips },
      patch: { text: "Here are a few tips you'll find *useful*." },
    },
    {
      op: 'update_props',
      pageSlug: welcome,
      blockId: { ofType: 'List', text: twoNames },
      patch: { text: twoNames.replace('index.md', 'index.mdx') },
    },
    {
      op: 'move_block',
      pageSlug: welcome,
      blockId: { ofType: 'Paragraph', text: 'The blog supports tags as well!' },
      afterBlockId: { ofType: 'Paragraph', text: blogOnly },
    },
    {
      op: 'update_props',
      pageSlug: intro,
      blockId: { ofType: 'Heading', text: "What you'll need" },
      patch: { text: 'What you need' },
    },
    {
      op: 'remove_block',
      pageSlug: intro,
      blockId: { ofType: 'Paragraph', text: 'Get started by **creating a new site**.' },
    },
    {
      op: 'add_block',
      pageSlug: '/~blog/2019-05-28-first-blog-post.mdx',
      afterBlockId: { ofType: 'Paragraph', text: 'Lorem ipsum dolor sit amet...' },
      block: { id: 'b_woods', type: 'List', props: { text: '- Oak\n- Ash' } },
    },
    {
      op: 'update_props',
      pageSlug: authors,
      blockId: { ofType: 'Data' },
      patch: {
        slorber: {
          name: 'Sébastien Lorber',
          title: 'Maintainer: Docusaurus',
          url: 'https://sebastienlorber.com',
          image_url: 'https://github.com/slorber.png',
          page: { permalink: '/all-sebastien-lorber-articles' },
          socials: {
            x: 'sebastienlorber',
            linkedin: 'sebastienlorber',
            github: 'slorber',
            newsletter: 'https://thisweekinreact.com',
          },
        },
      },
    },
    {
      op: 'update_props',
      pageSlug: category,
      blockId: { ofType: 'Data' },
      patch: { label: 'First "steps"', position: 3 },
    },
    {
      op: 'update_props',
      pageSlug: '/~docs/tutorial-extras/_category_.json',
      blockId: { ofType: 'Data' },
      patch: { link: { type: 'generated-index', description: 'More' } },
    },
    {
      op: 'update_props',
      pageSlug: `/~${features}`,
      blockId: { ofType: 'Image' },
      patch: { alt: 'The [logo]', title: 'Of "us"' },
    },
    {
      op: 'update_props',
      pageSlug: translate,
      blockId: { ofType: 'Component' },
      patch: { label: 'Mind', source: '\nIn development, you can use one locale.\n' },
    },
    {
      op: 'create_page',
      page: {
        slug: '/~docs/boats.md',
        title: 'Boats',
        blocks: [
          { id: 'b_head', type: 'Heading', props: { level: 2, text: 'Planks' } },
          { id: 'b_ash', type: 'Paragraph', props: { text: 'Of **ash**, and [oak](./intro.mdx).' } },
        ],
      },
    },
    {
      op: 'duplicate_page',
      pageSlug: '/~src/pages/markdown-page.mdx',
      newPageSlug: '/~src/pages/other-page.mdx',
      newTitle: 'Another page',
    },
    { op: 'remove_page', pageSlug: '/~blog/2019-05-29-long-blog-post.mdx' },
    {
      op: 'rename_page',
      pageSlug: '/~docs/tutorial-basics/create-a-page.mdx',
      newPageSlug: '/~docs/tutorial-basics/make-a-page.mdx',
    },
    {
      op: 'rename_page',
      pageSlug: '/~docs/tutorial-basics/congratulations.mdx',
      newPageSlug: '/~docs/congratulations.mdx',
    },
  ],
  changed: {
    'blog/2019-05-28-first-blog-post.mdx': ['+- Oak', '+- Ash', '+'],
    'blog/2019-05-29-long-blog-post.mdx': ['deleted file'],
    'blog/2021-08-26-welcome/index.mdx': [
      '-title: Welcome',
      "+title: 'Let''s begin: a welcome'",
      '-tags: [facebook, hello, docusaurus]',
      '+tags: [facebook, hello]',
      `-${tips}`,
      "+Here are a few tips you'll find *useful*.",
      '+The blog supports tags as well!',
      '+',
      '-- `2019-05-30-welcome/index.md`',
      '+- `2019-05-30-welcome/index.mdx`',
      '-The blog supports tags as well!',
      '-',
    ],
    'blog/authors.yml': ['-  title: Docusaurus maintainer', "+  title: 'Maintainer: Docusaurus'"],
    'docs/boats.md': [
      'new file',
      '+---',
      "+title: 'Boats'",
      '+---',
      '+',
      '+## Planks',
      '+',
      '+Of **ash**, and [oak](./intro.mdx).',
    ],
    'docs/congratulations.mdx': [
      'rename from docs/tutorial-basics/congratulations.mdx',
      '-Have **5 more minutes**? Take a look at **[versioning](../tutorial-extras/manage-docs-versions.mdx)** and **[i18n](../tutorial-extras/translate-your-site.mdx)**.',
      '+Have **5 more minutes**? Take a look at **[versioning](tutorial-extras/manage-docs-versions.mdx)** and **[i18n](tutorial-extras/translate-your-site.mdx)**.',
    ],
    'docs/intro.mdx': [
      '-Get started by **creating a new site**.',
      '-',
      "-### What you'll need",
      '+### What you need',
    ],
    'docs/tutorial-basics/_category_.json': [
      '-  "label": "Tutorial - Basics",',
      '-  "position": 2,',
      '+  "label": "First \\"steps\\"",',
      '+  "position": 3,',
    ],
    'docs/tutorial-basics/make-a-page.mdx': ['rename from docs/tutorial-basics/create-a-page.mdx'],
    'docs/tutorial-extras/_category_.json': [
      '-    "type": "generated-index"',
      '+    "type": "generated-index",',
      '+    "description": "More"',
    ],
    'docs/tutorial-extras/translate-your-site.mdx': [
      '-:::caution',
      '+:::caution Mind',
      '-In development, you can only use one locale at a time.',
      '+In development, you can use one locale.',
    ],
    [features]: [
      "-**Result:** Let's see how to [Create a page](./create-a-page.mdx).",
      "+**Result:** Let's see how to [Create a page](./make-a-page.mdx).",
      '-![Docusaurus logo](/img/docusaurus.png)',
      '+![The \\[logo\\]](/img/docusaurus.png "Of \\"us\\"")',
    ],
    'src/pages/other-page.mdx': [
      'new file',
      '+---',
      '+title: Another page',
      '+---',
      '+',
      '+# Markdown page example',
      '+',
      "+You don't need React to write simple standalone pages.",
    ],
  },
  refused: [
    {
      op: {
        op: 'update_props',
        pageSlug: intro,
        blockId: { ofType: 'Heading', text: 'Getting Started' },
        patch: { text: 'Getting\nstarted' },
      },
      reason: /docs\/intro\.mdx.*A heading cannot hold a line break\./,
    },
    {
      op: { op: 'rename_page', pageSlug: intro, newTitle: 'Introduction' },
      reason: /Its front matter has no title/,
    },
    {
      op: {
        op: 'update_props',
        pageSlug: welcome,
        blockId: { ofType: 'Paragraph', text: blogOnly },
        patch: { text: 'Now {process.env.HOME}' },
      },
      reason: /process\.env/,
    },
    { op: { op: 'remove_page', pageSlug: authors }, reason: /authors\.yml/ },
    {
      op: { op: 'create_page', page: { slug: '/~static/boats.md', title: 'Boats', blocks: [] } },
      reason: /This folder has no content/,
    },
  ],
}
