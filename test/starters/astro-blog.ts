/** Its generator fetches templates from a host of its own: these are by hand, as its documentation has them. */
import { png } from '../helpers/media-files.ts'
import type { Starter } from './starter.ts'

export const scripts = { dev: 'astro dev', build: 'astro build', preview: 'astro preview', astro: 'astro' }
const article = (title: string, date: string, body: string): string =>
  `---\ntitle: '${title}'\ndescription: 'About ${title.toLowerCase()} and what it is for.'\npubDate: '${date}'\n---\n\n${body}`

const style = `Here is a sample of the syntax that a post can have. Each of these is **bold**, _emphasis_, or \`code\`.

## Headings

The elements from \`<h1>\` to \`<h6>\` are six levels of headings: the first one is the _highest_.

Headings below the third level are rare in posts that are meant to be read on a phone.

![A boat of elm](/img/elm.png)

## Lists

1. First item with a [link](https://docs.astro.build)
2. Second item
   - nested item
   - another one

> Do not communicate by sharing memory, share memory by **communicating**.
> — Rob Pike

## Tables

| Italics   | Bold     | Code   |
| --------- | -------- | ------ |
| _italics_ | **bold** | \`code\` |

\`\`\`js
const answer = 42
\`\`\`
`

const page = (imports: string, props: string, body: string): string => `---
import BaseHead from '${imports}components/BaseHead.astro'
import Footer from '${imports}components/Footer.astro'
import Header from '${imports}components/Header.astro'
${props}
---

<!doctype html>
<html lang="en">
  <head>
    <BaseHead title={title} description={description} />
  </head>
  <body>
    <Header />
    <main>
${body}
    </main>
    <Footer />
  </body>
</html>
`

const consts = "import { SITE_DESCRIPTION, SITE_TITLE } from '"
const ofSite = 'const title = SITE_TITLE\nconst description = SITE_DESCRIPTION'
const posts = `import { getCollection } from 'astro:content'
const posts = (await getCollection('blog')).sort((a, b) => b.data.pubDate.valueOf() - a.data.pubDate.valueOf())`

export const astroBlog: Starter = {
  name: 'Astro blog',
  framework: 'Astro',
  origin: 'by hand, after the blog of `create-astro`',
  made: {
    by: 'hand',
    packages: ['astro', '@astrojs/mdx', '@astrojs/sitemap'],
    scripts,
    files: {
      'public/img/elm.png': png(320, 160),
      'public/img/oak.png': png(320, 160),
      '.gitignore': 'dist/\n.astro/\nnode_modules/\n.env\n',
      'tsconfig.json': '{ "extends": "astro/tsconfigs/strict" }\n',
      'astro.config.mjs': `// @ts-check
import mdx from '@astrojs/mdx'
import sitemap from '@astrojs/sitemap'
import { defineConfig } from 'astro/config'

export default defineConfig({
  site: 'https://example.com',
  integrations: [mdx(), sitemap()],
})
`,
      'src/consts.ts': `export const SITE_TITLE = 'Astro Blog'
export const SITE_DESCRIPTION = 'Welcome to my website!'
`,
      'src/content.config.ts': `import { defineCollection } from 'astro:content'
import { glob } from 'astro/loaders'
import { z } from 'astro/zod'

const blog = defineCollection({
  loader: glob({ base: './src/content/blog', pattern: '**/*.{md,mdx}' }),
  schema: z.object({
    title: z.string(),
    description: z.string().optional(),
    pubDate: z.coerce.date().default(new Date()),
  }),
})

export const collections = { blog }
`,
      'src/components/BaseHead.astro': `---
const { title, description } = Astro.props
---

<meta charset="utf-8" />
<meta name="viewport" content="width=device-width,initial-scale=1" />
<title>{title}</title>
<meta name="description" content={description} />
<style is:global>
  body { font: 18px/1.6 system-ui; margin: 0 auto; max-width: 50rem }
  nav a { margin-right: 1rem }
</style>
`,
      'src/components/Header.astro': `---
import { SITE_TITLE } from '../consts'
---

<header>
  <nav>
    <h2><a href="/">{SITE_TITLE}</a></h2>
    <a href="/">Home</a>
    <a href="/blog">Blog</a>
    <a href="/about">About</a>
  </nav>
</header>
`,
      'src/components/Footer.astro': `---
const today = new Date()
---

<footer>
  &copy; {today.getFullYear()} Your name here. All rights reserved.
  <p><a href="https://m.webtoo.ls/@astro" target="_blank">Follow Astro on Mastodon</a></p>
</footer>
`,
      'src/components/FormattedDate.astro': `---
const { date } = Astro.props
---

<time datetime={date.toISOString()}>
  {date.toLocaleDateString('en-us', { year: 'numeric', month: 'short', day: 'numeric' })}
</time>
`,
      'src/layouts/BlogPost.astro': page(
        '../',
        "import FormattedDate from '../components/FormattedDate.astro'\nconst { title, description, pubDate } = Astro.props",
        `      <article>
        <div class="title">
          <div class="date"><FormattedDate date={pubDate} /></div>
          <h1>{title}</h1>
          <hr />
        </div>
        <div class="prose"><slot /></div>
      </article>`,
      ),
      'src/pages/index.astro': page(
        '../',
        `${consts}../consts'\n${ofSite}`,
        `      <h1>🧑‍🚀 Hello, Astronaut!</h1>
      <p>
        Welcome to the official <a href="https://astro.build/">Astro</a> blog starter template. This
        template serves as a lightweight, minimally-styled starting point for anyone looking to build a
        personal website, blog, or portfolio with Astro.
      </p>
      <p>
        This template comes with a few integrations already configured in your <code>astro.config.mjs</code>
        file. You can customize your setup with integrations to add tools like Tailwind, React, or Vue.
      </p>
      <p>Here are a few ideas on how to get started with the template:</p>
      <ul>
        <li>Edit this page in <code>src/pages/index.astro</code></li>
        <li>Edit the site header items in <code>src/components/Header.astro</code></li>
        <li>Add your name to the footer in <code>src/components/Footer.astro</code></li>
        <li>Check out the included blog posts in <code>src/content/blog/</code></li>
        <li>Customize the blog post page layout in <code>src/layouts/BlogPost.astro</code></li>
      </ul>
      <p>
        Have fun! If you get stuck, remember to <a href="https://docs.astro.build/">read the docs</a> or
        <a href="https://astro.build/chat">join us on Discord</a> to ask questions.
      </p>`,
      ),
      'src/pages/about.astro': page(
        '../',
        `const title = 'About Me'\nconst description = 'Lorem ipsum dolor sit amet'`,
        '      <h1>{title}</h1>\n      <p>Morbi tristique senectus et netus et malesuada fames ac turpis egestas integer.</p>',
      ),
      'src/pages/blog/index.astro': page(
        '../../',
        `${consts}../../consts'\n${posts}\n${ofSite}`,
        `      <ul>
        {posts.map((post) => <li><a href={\`/blog/\${post.id}/\`}><h4>{post.data.title}</h4></a></li>)}
      </ul>`,
      ),
      'src/pages/blog/[...slug].astro': `---
import { getCollection, render } from 'astro:content'
import BlogPost from '../../layouts/BlogPost.astro'

export async function getStaticPaths() {
  const posts = await getCollection('blog')
  return posts.map((post) => ({ params: { slug: post.id }, props: post }))
}
const post = Astro.props
const { Content } = await render(post)
---

<BlogPost {...post.data}>
  <Content />
</BlogPost>
`,
      'src/content/blog/first-post.md': article(
        'First post',
        'Jul 08 2022',
        'Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt.\n\nVitae ultricies leo integer malesuada nunc vel risus commodo viverra, and nothing else.\n',
      ),
      'src/content/blog/second-post.md': article(
        'Second post',
        'Jul 15 2022',
        'Adipiscing enim eu turpis egestas pretium euismod quis viverra nibh cras pulvinar mattis.\n\nTortor at risus viverra adipiscing at in tellus integer feugiat scelerisque varius.\n',
      ),
      'src/content/blog/markdown-style-guide.md': article('Markdown Style Guide', 'Jun 19 2024', style),
    },
  },
  post: { at: '/blog/markdown-style-guide/', words: 'article h1, article .prose' },
  typed: [
    {
      at: '/blog/markdown-style-guide/',
      shown: 'Headings',
      source: '## Headings',
      adds: ' and titles',
      file: 'src/content/blog/markdown-style-guide.md',
    },
    {
      at: '/blog/markdown-style-guide/',
      shown: 'The elements from <h1> to <h6> are six levels of headings: the first one is the highest.',
      source: 'headings: the first one is the _highest_.',
      adds: ' The last is the lowest.',
      file: 'src/content/blog/markdown-style-guide.md',
    },
    { at: '/', shown: '🧑‍🚀 Hello, Astronaut!', adds: ' Welcome back.', file: 'src/pages/index.astro' },
    { at: '/', shown: 'Follow Astro on Mastodon', adds: ' today', file: 'src/components/Footer.astro' },
  ],
  title: {
    at: '/blog/markdown-style-guide/',
    shown: 'Markdown Style Guide',
    adds: ' for all',
    file: 'src/content/blog/markdown-style-guide.md',
  },
  picture: {
    at: '/blog/markdown-style-guide/',
    file: 'src/content/blog/markdown-style-guide.md',
    alt: 'A boat of elm',
    from: '/img/elm.png',
    to: '/img/oak.png',
  },
  undone: {
    at: '/blog/first-post/',
    shown: 'Vitae ultricies leo integer malesuada nunc vel risus commodo viverra, and nothing else.',
    adds: ' Or more.',
    file: 'src/content/blog/first-post.md',
  },
  moved: {
    at: '/blog/second-post/',
    file: 'src/content/blog/second-post.md',
    before: 'Adipiscing enim eu turpis egestas pretium euismod quis viverra nibh cras pulvinar mattis.',
    paragraph: 'Tortor at risus viverra adipiscing at in tellus integer feugiat scelerisque varius.',
  },
  created: { file: 'src/content/blog/boats.md', at: '/blog/boats/' },
}
