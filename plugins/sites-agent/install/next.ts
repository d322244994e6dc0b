import { publicVariables, type Framework } from './framework.ts'
import type { Project } from './project.ts'
import { aboutPage, contentFile, editor, imports, importing, pageImports } from './source.ts'

/** The folders app and pages lie side by side, so one that is there tells where the other has to be. */
const appFolder = ({ has }: Project): string => (has('src/app') || (has('src/pages') && !has('app')) ? 'src/app' : 'app')

const hasPages = ({ has }: Project): boolean => has('pages') || has('src/pages')

const exporting = 'export default'

const page = (siteId: string, isTypeScript: boolean): string => `${pageImports('renderEditorBody')}${importing('{ headers }', 'next/headers')}${importing('{ notFound }', 'next/navigation')}${importing('{ cache }', 'react')}
const adapter = jsonFile('${contentFile}')
${isTypeScript ? '\ninterface Props {\n  readonly params: Promise<{ readonly path?: readonly string[] }>\n}\n' : ''}
/** A page: ${aboutPage} */
const read = cache(async (slug${isTypeScript ? ': string' : ''}) => fetchEditorPage(slug, { headers: await headers() }, { adapter, siteId: '${siteId}' }))

const slugOf = async ({ params }${isTypeScript ? ': Props' : ''}) => \`/\${((await params).path ?? []).join('/')}\`

export async function generateMetadata(props${isTypeScript ? ': Props' : ''}) {
  const { page } = await read(await slugOf(props))
  return { title: page?.meta?.title ?? page?.title, description: page?.meta?.description }
}

${exporting} async function Page(props${isTypeScript ? ': Props' : ''}) {
  const shown = await read(await slugOf(props))
  if (!shown.page) notFound()
  const html = renderEditorBody(shown, { script: livePreviewScript(shown) })
  return <div dangerouslySetInnerHTML={{ __html: html }} />
}
`
const home = `export { default, generateMetadata } from './[...path]/page'\n`

const layout = (isTypeScript: boolean): string => `${isTypeScript ? `${importing('type { ReactNode }', 'react')}\n` : ''}${exporting} function Layout({ children }${isTypeScript ? ': { readonly children: ReactNode }' : ''}) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  )
}
`

/** Next.js, app router. */
export const next: Framework = {
  name: 'next',
  dependency: 'next',
  files(project, facts) {
    const { isTypeScript } = project
    const app = appFolder(project)
    const ending = isTypeScript ? 'tsx' : 'js'
    const route = `${imports}${editor(facts, 'const')}
export const GET = editor.fetch
export const POST = editor.fetch
export const OPTIONS = editor.fetch
`
    return [
      { path: `${app}/api/editor/[...path]/route.${isTypeScript ? 'ts' : 'js'}`, text: route },
      { path: `${app}/[...path]/page.${ending}`, text: page(facts.siteId, isTypeScript) },
      ...(hasPages(project) ? [] : [{ path: `${app}/page.${ending}`, text: home }]),
      { path: `${app}/layout.${ending}`, text: layout(isTypeScript) },
    ]
  },
  variablesFile: '.env.local',
  variables: publicVariables,
  steps: (_, files) => [
    ...files
      .filter(({ path, action, isSame }) => /(?:^|\/)app\/page\.\w+$/.test(path) && action === 'skip' && isSame !== true)
      .flatMap(({ path }) => [`To see the home page of the content, let ${path} hold nothing but this line:`, home.trim()]),
    'Start the site: npx next dev',
  ],
}
