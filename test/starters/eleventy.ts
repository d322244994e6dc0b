/** It has no generator, its starters are repositories: these are by hand, as its documentation has them. */
import { png } from '../helpers/media-files.ts'
import type { Starter } from './starter.ts'

const pictures = { 'public/img/elm.png': png(320, 160), 'public/img/oak.png': png(320, 160) }
const exchanged = { alt: 'A boat of elm', from: '/img/elm.png', to: '/img/oak.png' }
const scripts = { start: 'eleventy --serve --quiet', build: 'eleventy' }
const bridge = `---
title: How a bridge carries
description: What keeps a bridge up.
date: 2026-03-01
tags: [building]
---
A bridge carries its own weight before it carries anything else, and *most* of what it is made of only
holds the rest of it. An [arch](https://en.wikipedia.org/wiki/Arch_bridge) turns weight into **thrust**.

## Section headings

Beams bend, cables pull, and arches push: three ways to bring a load to the ground.

- Stone takes pressure, and hardly anything else.
- Steel takes both.

\`\`\`js
const load = 42
\`\`\`

![A boat of elm](/img/elm.png)

What a bridge stands on is the half of it that nobody sees.
`

const blog: Starter = {
  name: 'Eleventy blog',
  framework: 'Eleventy',
  origin: 'by hand, after `eleventy-base-blog`',
  made: {
    by: 'hand',
    packages: [
      '@11ty/eleventy',
      '@11ty/eleventy-navigation',
      '@11ty/eleventy-plugin-rss',
      '@11ty/eleventy-plugin-syntaxhighlight',
    ],
    scripts,
    files: {
      ...pictures,
      '.gitignore': '_site/\nnode_modules/\n',
      'eleventy.config.js': `import navigation from '@11ty/eleventy-navigation'
import { feedPlugin } from '@11ty/eleventy-plugin-rss'
import syntaxHighlight from '@11ty/eleventy-plugin-syntaxhighlight'

export default function (eleventyConfig) {
  eleventyConfig.addPassthroughCopy({ './public/': '/' })
  eleventyConfig.addPlugin(navigation)
  eleventyConfig.addPlugin(syntaxHighlight)
  eleventyConfig.addPlugin(feedPlugin, {
    type: 'atom',
    outputPath: '/feed/feed.xml',
    collection: { name: 'posts', limit: 10 },
    metadata: { language: 'en', title: 'Blog Title', subtitle: 'The feed', base: 'https://example.com/' },
  })
  eleventyConfig.addFilter('readableDate', (date) =>
    date.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric' }),
  )
  eleventyConfig.addFilter('newest', (list, most) => list.toReversed().slice(0, most))
  return {
    templateFormats: ['md', 'njk', 'html', '11ty.js'],
    markdownTemplateEngine: 'njk',
    htmlTemplateEngine: 'njk',
    dir: { input: 'content', includes: '../_includes', data: '../_data', output: '_site' },
  }
}
`,
      '_data/metadata.js': `export default {
  title: 'Notes of a builder',
  url: 'https://example.com/',
  language: 'en',
  description: 'I am writing about my experiences as a builder of bridges.',
  author: {
    name: 'Your Name Here',
    email: 'you@example.com',
  },
}
`,
      '_includes/layouts/base.njk': `<!doctype html>
<html lang="{{ metadata.language }}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1.0">
    <title>{{ title or metadata.title }}</title>
    <meta name="description" content="{{ description or metadata.description }}">
    <style>body { font: 18px/1.6 system-ui; margin: 0 auto; max-width: 45rem }</style>
  </head>
  <body>
    <header>
      <a href="/" class="home-link">{{ metadata.title }}</a>
      <nav>
        <h2 class="visually-hidden">Top level navigation menu</h2>
        <ul class="nav">
        {%- for entry in collections.all | eleventyNavigation %}
          <li class="nav-item"><a href="{{ entry.url }}"{% if entry.url == page.url %} aria-current="page"{% endif %}>{{ entry.title }}</a></li>
        {%- endfor %}
        </ul>
      </nav>
    </header>
    <main id="main">
      {{ content | safe }}
    </main>
    <footer>
      <p><em>Built with <a href="https://www.11ty.dev/">Eleventy</a></em></p>
    </footer>
  </body>
</html>
`,
      '_includes/layouts/home.njk': '---\nlayout: layouts/base.njk\n---\n{{ content | safe }}\n',
      '_includes/layouts/post.njk': `---
layout: layouts/base.njk
---
<h1>{{ title }}</h1>
<ul class="post-metadata">
  <li><time datetime="{{ page.date.toISOString() }}">{{ page.date | readableDate }}</time></li>
</ul>
<div class="post">{{ content | safe }}</div>
`,
      '_includes/postslist.njk': `<ol class="postlist">
{%- for post in postslist %}
  <li class="postlist-item">
    <a href="{{ post.url }}" class="postlist-link">{{ post.data.title }}</a>
    <time class="postlist-date" datetime="{{ post.date.toISOString() }}">{{ post.date | readableDate }}</time>
  </li>
{%- endfor %}
</ol>
`,
      'content/index.njk': `---
layout: layouts/home.njk
eleventyNavigation:
  key: Home
  order: 1
---
<h1>Latest posts of the yard</h1>
{% set postslist = collections.posts | newest(3) %}
{% include "postslist.njk" %}
<p>More posts can be found in <a href="/blog/">the archive</a>.</p>
<h2>About this yard</h2>
<p>Bridges take years, and a note takes an evening: these are the notes.</p>
`,
      'content/about.md': `---
layout: layouts/base.njk
eleventyNavigation:
  key: About Me
  order: 3
---
# About me

I am a person who writes about bridges.
`,
      'content/blog.njk': `---
layout: layouts/home.njk
permalink: /blog/
eleventyNavigation:
  key: Archive
  order: 2
---
<h1>Archive</h1>
{% set postslist = collections.posts %}
{% include "postslist.njk" %}
`,
      'content/blog/blog.11tydata.js': "export default { tags: ['posts'], layout: 'layouts/post.njk' }\n",
      'content/blog/bridge.md': bridge,
      'content/blog/ferry.md': `---
title: Why ferries stay
date: 2026-04-02
---
A ferry needs two banks and no foundation, which is why rivers had ferries for a thousand years.

Ferries stay where a bridge would stand in the way of ships, or would be used twice a day.
`,
      'content/blog/tunnel.md': `---
title: A tunnel is a bridge
date: 2026-05-03
---
A tunnel carries what is above it, and a bridge what is on it, so that both are the same problem.
`,
    },
  },
  post: { at: '/blog/bridge/', words: 'main h1, main .post' },
  typed: [
    {
      at: '/blog/bridge/',
      shown: 'Section headings',
      source: '## Section headings',
      adds: ' too',
      file: 'content/blog/bridge.md',
    },
    {
      at: '/blog/bridge/',
      shown:
        'A bridge carries its own weight before it carries anything else, and most of what it is made of only holds the rest of it. An arch turns weight into thrust.',
      source: 'turns weight into **thrust**.',
      adds: ' So it stands.',
      file: 'content/blog/bridge.md',
    },
    { at: '/', shown: 'Latest posts of the yard', adds: ' and more', file: 'content/index.njk' },
    { at: '/', shown: 'Notes of a builder', adds: ' of bridges', file: '_data/metadata.js' },
  ],
  title: {
    at: '/blog/bridge/',
    shown: 'How a bridge carries',
    adds: ' its weight',
    file: 'content/blog/bridge.md',
  },
  picture: { at: '/blog/bridge/', file: 'content/blog/bridge.md', ...exchanged },
  undone: {
    at: '/blog/ferry/',
    shown: 'Ferries stay where a bridge would stand in the way of ships, or would be used twice a day.',
    adds: ' Or thrice.',
    file: 'content/blog/ferry.md',
  },
  moved: {
    at: '/blog/ferry/',
    file: 'content/blog/ferry.md',
    before:
      'A ferry needs two banks and no foundation, which is why rivers had ferries for a thousand years.',
    paragraph: 'Ferries stay where a bridge would stand in the way of ships, or would be used twice a day.',
  },
  created: { file: 'content/blog/boats.md', at: '/blog/boats/' },
}

const govuk: Starter = {
  name: 'Eleventy with govuk-eleventy-plugin',
  framework: 'Eleventy',
  origin: 'by hand, after the documentation of `@x-govuk/govuk-eleventy-plugin`, whose layouts it has',
  made: {
    by: 'hand',
    packages: ['@11ty/eleventy', '@x-govuk/govuk-eleventy-plugin'],
    scripts,
    files: {
      ...pictures,
      '.gitignore': '_site/\nnode_modules/\n',
      'eleventy.config.js': `import { govukEleventyPlugin } from '@x-govuk/govuk-eleventy-plugin'

export default function (eleventyConfig) {
  eleventyConfig.addPassthroughCopy({ './public/': '/' })
  eleventyConfig.addPlugin(govukEleventyPlugin, {
    header: {
      productName: 'Apply for a juggling licence',
    },
  })
  return {
    dataTemplateEngine: 'njk',
    htmlTemplateEngine: 'njk',
    markdownTemplateEngine: 'njk',
    dir: { input: 'app' },
  }
}
`,
      'app/index.md': `---
layout: product
title: Design history of a service
description: How this service was designed, and why it is as it is.
startButton:
  text: Read the posts
  href: /posts/
---
## What this site is for

This site has the decisions behind a service, one post for each of them. Read [all posts](/posts/) in their order.

## Who writes it

Designers write a post once a decision is made, so that others need not ask for it.
`,
      'app/posts/posts.json': '{ "layout": "post", "tags": ["post"] }\n',
      'app/posts/index.md': `---
layout: collection
title: Posts
pagination:
  data: collections.post
  reverse: true
  size: 50
permalink: /posts/
eleventyExcludeFromCollections: true
---
`,
      'app/posts/start-page.md': `---
title: A start page for the service
description: Why the start page says what a person needs.
date: 2026-02-01
---
The start page says **what a person needs** before they begin, because [half of them](https://example.com) had to
stop in the middle of it.

## What we changed

We moved the list of documents to the top, and gave the button a name that says what happens next.

1. The list is short.
2. The button is green.

![A boat of elm](/img/elm.png)

Nobody has asked for a longer list since.
`,
      'app/posts/reminders.md': `---
title: Reminders by letter
description: Letters reach people whom messages do not reach.
date: 2026-03-01
---
A letter takes two days, and is read by nearly all who get one, which no message can say of itself.

Letters cost more than messages, but a missed date costs more than a letter.
`,
    },
  },
  post: { at: '/posts/start-page/', words: 'main h1, main .app-prose-scope' },
  typed: [
    {
      at: '/posts/start-page/',
      shown: 'What we changed',
      source: '## What we changed',
      adds: ' first',
      file: 'app/posts/start-page.md',
    },
    {
      at: '/posts/start-page/',
      shown:
        'The start page says what a person needs before they begin, because half of them had to stop in the middle of it.',
      source: 'stop in the middle of it.',
      adds: ' No more.',
      file: 'app/posts/start-page.md',
    },
    { at: '/', shown: 'What this site is for', adds: ' today', file: 'app/index.md' },
    { at: '/', shown: 'Apply for a juggling licence', adds: ' soon', file: 'eleventy.config.js' },
  ],
  title: {
    at: '/posts/start-page/',
    shown: 'A start page for the service',
    adds: ' of today',
    file: 'app/posts/start-page.md',
  },
  picture: { at: '/posts/start-page/', file: 'app/posts/start-page.md', ...exchanged },
  undone: {
    at: '/posts/reminders/',
    shown: 'Letters cost more than messages, but a missed date costs more than a letter.',
    adds: ' Or not.',
    file: 'app/posts/reminders.md',
  },
  moved: {
    at: '/posts/reminders/',
    file: 'app/posts/reminders.md',
    before:
      'A letter takes two days, and is read by nearly all who get one, which no message can say of itself.',
    paragraph: 'Letters cost more than messages, but a missed date costs more than a letter.',
  },
  created: { file: 'app/posts/boats.md', at: '/posts/boats/' },
}

export const eleventy: readonly Starter[] = [blog, govuk]
