/** How a framework starts its development server. */
export interface DevFramework {
  readonly name: string
  /** The package by which a project is recognised. */
  readonly package?: string
  /** The file by which a project without packages is recognised. */
  readonly file?: RegExp
  /** Matches a script that starts the server. */
  readonly script: RegExp
  /** The command of a project without such a script. */
  readonly command: string
  /** What a script gets behind it to listen on a port; empty if only `PORT` decides. */
  readonly flags: string
}

const port = '--port {port}'
const vite = /\bvite(?: dev| serve)?(?= -|$)/

/** All frameworks that are recognised, in the order in which they are looked for: most are built on Vite. */
export const frameworks: readonly DevFramework[] = [
  { name: 'astro', package: 'astro', script: /\bastro dev\b/, command: 'astro dev', flags: port },
  {
    name: 'docusaurus',
    package: '@docusaurus/core',
    script: /\bdocusaurus start\b/,
    command: 'docusaurus start',
    flags: `${port} --no-open`,
  },
  { name: 'next', package: 'next', script: /\bnext dev\b/, command: 'next dev', flags: port },
  { name: 'nuxt', package: 'nuxt', script: /\bnux[ti] dev\b/, command: 'nuxt dev', flags: port },
  {
    name: 'vitepress',
    package: 'vitepress',
    script: /\bvitepress dev\b/,
    command: 'vitepress dev',
    flags: port,
  },
  {
    name: 'eleventy',
    package: '@11ty/eleventy',
    script: /\beleventy\b.* --serve\b/,
    command: 'eleventy --serve',
    flags: '--port={port}',
  },
  { name: 'gatsby', package: 'gatsby', script: /\bgatsby develop\b/, command: 'gatsby develop', flags: port },
  { name: 'sveltekit', package: '@sveltejs/kit', script: vite, command: 'vite dev', flags: port },
  {
    name: 'react-router',
    package: '@react-router/dev',
    script: /\breact-router dev\b/,
    command: 'react-router dev',
    flags: port,
  },
  {
    name: 'create-react-app',
    package: 'react-scripts',
    script: /\breact-scripts start\b/,
    command: 'react-scripts start',
    flags: '',
  },
  { name: 'vite', package: 'vite', script: vite, command: 'vite', flags: port },
  {
    name: 'hugo',
    file: /^hugo\.(?:toml|ya?ml|json)$/,
    script: /\bhugo server\b/,
    command: 'hugo server',
    flags: port,
  },
  {
    name: 'jekyll',
    file: /^_config\.ya?ml$/,
    script: /\bjekyll serve\b/,
    command: 'bundle exec jekyll serve',
    flags: port,
  },
  {
    name: 'html',
    file: /^index\.html?$/,
    script: /\bhttp-server\b/,
    command: 'npx --yes http-server@14 . -a 127.0.0.1 -c-1',
    flags: '-p {port}',
  },
]

/** A program that installs packages and runs scripts. */
export interface Runner {
  readonly name: 'npm' | 'pnpm' | 'yarn' | 'bun'
  readonly locks: readonly string[]
  /** What is between a script and its arguments. */
  readonly separator: ' -- ' | ' '
}

export const npm: Runner = {
  name: 'npm',
  locks: ['package-lock.json', 'npm-shrinkwrap.json'],
  separator: ' -- ',
}

/** All runners, in the order in which their lock files are looked for. */
export const runners: readonly Runner[] = [
  npm,
  { name: 'pnpm', locks: ['pnpm-lock.yaml'], separator: ' ' },
  { name: 'yarn', locks: ['yarn.lock'], separator: ' ' },
  { name: 'bun', locks: ['bun.lock', 'bun.lockb'], separator: ' ' },
]
