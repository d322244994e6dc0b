import { html, toMarkup } from '../../content/markup.ts'
import { contentFile } from './cms.ts'
import { fillFor, publicVariables, type SiteFile } from './framework.ts'
import { nextPage, nextRoute } from './next.ts'

/** Formats a text as TypeScript source. */
const inSource = (text: string): string =>
  JSON.stringify(text)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')

interface NewSite {
  readonly siteId: string
  readonly name: string
  readonly packageSpec: string
  readonly port: number
}

/** Returns the files of a new Next.js website, with an empty content file. */
export function skeleton({ siteId, name, packageSpec, port }: NewSite): readonly SiteFile[] {
  const inTypeScript = { code: 'ts' } as const
  const facts = { siteId, cms: undefined, blocks: true }
  const manifest = '../../blocks/register'
  const values = { port, packageSpec: JSON.stringify(packageSpec), title: inSource(name) }
  const file = (path: string, template: string) => ({
    path,
    text: fillFor(`skeleton/${template}`, inTypeScript, facts, values),
  })
  const drawing = (path: string, text: string) => ({
    path,
    text: fillFor('skeleton/logo', inTypeScript, facts, { text: toMarkup(html`${text}`) }),
  })
  return [
    file('package.json', 'package'),
    file('next.config.ts', 'next-config'),
    file('tsconfig.json', 'tsconfig'),
    file('app/layout.tsx', 'layout'),
    file('app/globals.css', 'globals'),
    {
      path: 'app/[[...slug]]/page.tsx',
      text: nextPage(inTypeScript, facts, { parameter: 'slug', manifest }),
    },
    { path: 'app/api/editor/[...path]/route.ts', text: nextRoute(inTypeScript, facts, `../../${manifest}`) },
    { path: 'blocks/register.tsx', text: fillFor('manifest', inTypeScript, facts) },
    { path: contentFile, text: `${JSON.stringify({ pages: [], siteConfig: { name } }, null, 2)}\n` },
    drawing('public/logo.svg', name),
    drawing('public/favicon.svg', [...name][0] ?? ''),
    { path: 'public/.gitkeep', text: '' },
    file('.gitignore', 'gitignore'),
  ]
}

/** Returns the variables of a new website, except the secret. */
export const skeletonVariables = (siteId: string, name: string): Readonly<Record<string, string>> => ({
  ...publicVariables(siteId),
  NEXT_PUBLIC_SITE_NAME: name.replaceAll(/[\r\n'"`\\]/g, ' '),
})
