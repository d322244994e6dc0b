import type { Starter } from './starter.ts'

const generated = (language: 'javascript' | 'typescript'): Starter => {
  const [config, component] = language === 'javascript' ? ['js', 'js'] : ['ts', 'tsx']
  const welcome = 'blog/2021-08-26-welcome/index.mdx'
  return {
    name: `Docusaurus classic, ${language === 'javascript' ? 'JavaScript' : 'TypeScript'}`,
    framework: 'Docusaurus',
    origin: '`create-docusaurus`',
    made: {
      by: 'generator',
      command: [
        '--yes',
        'create-docusaurus@latest',
        '{name}',
        'classic',
        '{parent}',
        `--${language}`,
        '--skip-install',
      ],
    },
    post: { at: '/blog/welcome', words: 'article h1, article .markdown' },
    typed: [
      { at: '/docs/intro', shown: 'Getting Started', adds: ' today', file: 'docs/intro.mdx' },
      {
        at: '/docs/intro',
        shown: 'Or try Docusaurus immediately with docusaurus.new.',
        source: '**[docusaurus.new](https://docusaurus.new)**.',
        adds: ' It is free.',
        file: 'docs/intro.mdx',
      },
      { at: '/', shown: 'Dinosaurs are cool', adds: ' indeed', file: `docusaurus.config.${config}` },
      {
        at: '/',
        shown: 'Focus on What Matters',
        adds: ' most',
        file: `src/components/HomepageFeatures/index.${component}`,
      },
    ],
    title: {
      at: '/blog/welcome',
      shown: 'Welcome',
      source: 'title: Welcome',
      adds: ' aboard',
      file: welcome,
    },
    picture: {
      at: '/blog/welcome',
      file: welcome,
      alt: 'Docusaurus Plushie',
      from: './docusaurus-plushie-banner.jpeg',
      to: '/img/docusaurus-social-card.jpg',
    },
    undone: {
      at: '/blog/welcome',
      shown: 'Here are a few tips you might find useful.',
      adds: ' Or not.',
      file: welcome,
    },
    moved: {
      at: '/blog/welcome',
      file: welcome,
      before: 'Simply add Markdown files (or folders) to the `blog` directory.',
      paragraph: 'Regular blog authors can be added to `authors.yml`.',
    },
    created: { file: 'blog/2026-11-28-boats.md', at: '/blog/2026/11/28/boats' },
  }
}

export const docusaurus: readonly Starter[] = [generated('javascript'), generated('typescript')]
