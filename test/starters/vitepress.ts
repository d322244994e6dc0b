import type { Starter } from './starter.ts'

const examples = 'markdown-examples.md'
const apis = 'api-examples.md'

export const vitepress: Starter = {
  name: 'VitePress',
  framework: 'VitePress',
  origin: '`vitepress init`',
  made: {
    by: 'generator',
    // It asks, and takes what it suggests where Enter is pressed; its scripts are what it writes last.
    command: [
      '--yes',
      '--package=vitepress',
      '-c',
      'mkdir {folder} && cd {folder} && (until test -e package.json; do sleep 1; printf "\\r"; done) | vitepress init',
    ],
    packages: ['vitepress'],
    files: { '.gitignore': 'node_modules/\n.vitepress/cache/\n.vitepress/dist/\n' },
  },
  post: { at: '/markdown-examples', words: 'main .vp-doc', leftOut: '.lang, .custom-block-title' },
  typed: [
    {
      at: '/markdown-examples',
      shown: 'Syntax Highlighting',
      source: '## Syntax Highlighting',
      adds: ' and more',
      file: examples,
    },
    {
      at: '/markdown-examples',
      shown: 'Check out the documentation for the full list of markdown extensions.',
      source: '[full list of markdown extensions](https://vitepress.dev/guide/markdown).',
      adds: ' It is long.',
      file: examples,
    },
    { at: '/', shown: 'My great project tagline', adds: ' today', file: 'index.md' },
    { at: '/', shown: 'Home', source: "text: 'Home", adds: ' page', file: '.vitepress/config.mts' },
  ],
  title: { at: '/', shown: 'Feature B', adds: ' is better', file: 'index.md' },
  undone: {
    at: '/markdown-examples',
    shown:
      'VitePress provides Syntax Highlighting powered by Shiki, with additional features like line-highlighting:',
    adds: ' Or not.',
    file: examples,
  },
  moved: {
    at: '/api-examples',
    file: apis,
    before: 'This page demonstrates usage of some of the runtime APIs provided by VitePress.',
    paragraph:
      'The main `useData()` API can be used to access site, theme, and page data for the current page. It works in both `.md` and `.vue` files:',
  },
  created: { file: 'boats.md', at: '/boats' },
}
