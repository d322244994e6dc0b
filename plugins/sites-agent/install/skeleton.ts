import { html, toMarkup } from '../../content/markup.ts'
import { publicVariables, type SiteFile } from './framework.ts'
import { nextPage, nextRoute } from './next.ts'
import { manifestSource } from './source.ts'
import { contentFile, exporting, factsInFile, importing, sourceFor } from './content-source.ts'

/** Formats a name as TypeScript source text. */
const inSource = (text: string): string => JSON.stringify(text).replaceAll('<', '\\u003c').replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')

const typed = (text: string): string => sourceFor('ts', text)
const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

const drawing = (name: string, size: number): string =>
  toMarkup(html`<svg xmlns="http://www.w3.org/2000/svg" width="${size * 4}" height="${size}" role="img" aria-label="${name}"><text x="0" y="${Math.round(size * 0.75)}" font-family="system-ui" font-size="${Math.round(size * 0.7)}">${name}</text></svg>\n`)

/** Returns the files of a new Next.js website, with an empty content file. */
export function skeleton({ siteId, name, packageSpec, port }: { readonly siteId: string; readonly name: string; readonly packageSpec: string; readonly port: number }): readonly SiteFile[] {
  const facts = { ...factsInFile(siteId), blocks: true }
  const manifest = '../../blocks/register'
  return [
    { path: 'package.json', text: json({
      name: siteId,
      private: true,
      type: 'module',
      scripts: { dev: `next dev --port ${port}`, build: 'next build', start: 'next start', typecheck: 'tsc --noEmit' },
      dependencies: { 'content-orchestrator': packageSpec, next: '^16.0.0', react: '^19.0.0', 'react-dom': '^19.0.0' },
      devDependencies: { '@types/node': '^24.0.0', '@types/react': '^19.0.0', typescript: '^5.9.0' },
    }) },
    { path: 'next.config.ts', text: `${importing('type { NextConfig }', 'next')}\nconst config: NextConfig = { turbopack: { root: import.meta.dirname } }\n${exporting} config\n` },
    { path: 'tsconfig.json', text: json({
      compilerOptions: { target: 'ES2022', lib: ['dom', 'dom.iterable', 'esnext'], strict: true, noEmit: true, module: 'esnext', moduleResolution: 'bundler', esModuleInterop: true, isolatedModules: true, jsx: 'preserve', skipLibCheck: true, incremental: true, plugins: [{ name: 'next' }] },
      include: ['next-env.d.ts', '**/*.ts', '**/*.tsx'],
      exclude: ['node_modules'],
    }) },
    { path: 'app/layout.tsx', text: `import './globals.css'\n${importing('type { ReactNode }', 'react')}\nexport const metadata = { title: ${inSource(name)} }\n\n${exporting} function Layout({ children }: { readonly children: ReactNode }) {\n  return (\n    <html lang="en">\n      <body>{children}</body>\n    </html>\n  )\n}\n` },
    { path: 'app/globals.css', text: 'body {\n  margin: 0;\n}\n' },
    { path: 'app/[[...slug]]/page.tsx', text: typed(nextPage(facts, { parameter: 'slug', manifest })) },
    { path: 'app/api/editor/[...path]/route.ts', text: nextRoute(facts, `../../${manifest}`) },
    { path: 'blocks/register.tsx', text: typed(manifestSource) },
    { path: contentFile, text: json({ pages: [], siteConfig: { name } }) },
    { path: 'public/logo.svg', text: drawing(name, 32) },
    { path: 'public/favicon.svg', text: drawing([...name][0] ?? '', 32) },
    { path: 'public/.gitkeep', text: '' },
    { path: '.gitignore', text: 'node_modules\n.next\n.env*.local\n.orchestrator\nnext-env.d.ts\n' },
  ]
}

/** Returns the variables of a new website, except the secret. */
export const skeletonVariables = (siteId: string, name: string): Readonly<Record<string, string>> => ({ ...publicVariables(siteId), NEXT_PUBLIC_SITE_NAME: name.replaceAll(/[\r\n'"`\\]/g, ' ') })
