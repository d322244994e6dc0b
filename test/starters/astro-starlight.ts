/** By hand, as the documentation of Starlight has it. */
import { scripts } from './astro-blog.ts'
import type { Starter } from './starter.ts'
import { png } from '../helpers/media-files.ts'

export const starlight: Starter = {
  name: 'Astro Starlight',
  framework: 'Astro',
  origin: 'by hand, after the documentation of Starlight',
  made: {
    by: 'hand',
    packages: ['astro', '@astrojs/starlight', '@astrojs/markdown-remark', 'sharp'],
    scripts,
    files: {
      'public/img/elm.png': png(320, 160),
      'public/img/oak.png': png(320, 160),
      '.gitignore': 'dist/\n.astro/\nnode_modules/\n.env\n',
      'tsconfig.json': '{ "extends": "astro/tsconfigs/strict" }\n',
      'astro.config.mjs': `// @ts-check
import { defineConfig } from 'astro/config'
import starlight from '@astrojs/starlight'

export default defineConfig({
  integrations: [
    starlight({
      title: 'My delightful docs',
      social: [{ icon: 'github', label: 'GitHub', href: 'https://github.com/withastro/starlight' }],
      sidebar: [
        {
          label: 'Guides',
          items: [
            // Each item here is one entry in the navigation menu.
            { label: 'Example Guide', slug: 'guides/example' },
          ],
        },
        { label: 'Reference', items: [{ autogenerate: { directory: 'reference' } }] },
      ],
    }),
  ],
})
`,
      'src/content.config.ts': `import { defineCollection } from 'astro:content'
import { docsLoader } from '@astrojs/starlight/loaders'
import { docsSchema } from '@astrojs/starlight/schema'

export const collections = { docs: defineCollection({ loader: docsLoader(), schema: docsSchema() }) }
`,
      'src/content/docs/index.mdx': `---
title: Welcome to my docs
description: Get started building your docs site with Starlight.
template: splash
hero:
  tagline: Congrats on setting up a new docs project!
  actions:
    - text: Open the guide
      link: /guides/example/
      icon: right-arrow
    - text: Read the Starlight docs
      link: https://starlight.astro.build
      icon: external
      variant: minimal
---

import { Card, CardGrid } from '@astrojs/starlight/components';

## Next steps

<CardGrid stagger>
	<Card title="Update content" icon="pencil">
		Edit \`src/content/docs/index.mdx\` to see this page change.
	</Card>
	<Card title="Add new content" icon="add-document">
		Add Markdown or MDX files to \`src/content/docs\` to create new pages.
	</Card>
	<Card title="Read the docs" icon="open-book">
		Learn more in [the Starlight Docs](https://starlight.astro.build/).
	</Card>
</CardGrid>
`,
      'src/content/docs/guides/example.md': `---
title: Example Guide
description: A guide in my new Starlight docs site.
---

Guides lead a user through a specific task they want to accomplish, often with a sequence of steps.
Writing a good guide requires thinking about what your users are **trying** to do.

:::tip[Did you know?]
A note like this one stands beside the text.
:::

## Further reading

- Read [about how-to guides](https://diataxis.fr/how-to-guides/) in the Diátaxis framework

Guides end with what to read next, so that nobody has to search for it.

Some also name the people who wrote them.
`,
      'src/content/docs/reference/example.md': `---
title: Example Reference
description: A reference page in my new Starlight docs site.
---

Reference pages are ideal for outlining how things work in terse and clear terms.
Less concerned with telling a story or addressing a specific use case, they should give a comprehensive outline.

![A boat of elm](/img/elm.png)

## Further reading

- Read [about reference](https://diataxis.fr/reference/) in the Diátaxis framework
`,
    },
  },
  post: { at: '/guides/example/', words: 'main h1, main .sl-markdown-content', leftOut: '.sl-anchor-link' },
  typed: [
    {
      at: '/guides/example/',
      shown: 'Further reading',
      source: '## Further reading',
      adds: ' for you',
      file: 'src/content/docs/guides/example.md',
    },
    {
      at: '/guides/example/',
      shown:
        'Guides lead a user through a specific task they want to accomplish, often with a sequence of steps. Writing a good guide requires thinking about what your users are trying to do.',
      source: 'are **trying** to do.',
      adds: ' Always.',
      file: 'src/content/docs/guides/example.md',
    },
    {
      at: '/',
      shown: 'Congrats on setting up a new docs project!',
      adds: ' Hooray.',
      file: 'src/content/docs/index.mdx',
    },
    { at: '/', shown: 'My delightful docs', adds: ' of boats', file: 'astro.config.mjs' },
  ],
  title: {
    at: '/reference/example/',
    shown: 'Example Reference',
    source: 'title: Example Reference',
    adds: ' of all',
    file: 'src/content/docs/reference/example.md',
  },
  picture: {
    at: '/reference/example/',
    file: 'src/content/docs/reference/example.md',
    alt: 'A boat of elm',
    from: '/img/elm.png',
    to: '/img/oak.png',
  },
  undone: {
    at: '/guides/example/',
    shown: 'Guides end with what to read next, so that nobody has to search for it.',
    adds: ' Or do they?',
    file: 'src/content/docs/guides/example.md',
  },
  moved: {
    at: '/guides/example/',
    file: 'src/content/docs/guides/example.md',
    before: 'Guides end with what to read next, so that nobody has to search for it.',
    paragraph: 'Some also name the people who wrote them.',
  },
  created: { file: 'src/content/docs/reference/boats.md', at: '/reference/boats/' },
}
