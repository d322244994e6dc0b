import { cmsSource, env, exporting, importing } from './content-source.ts'
import { type Project, SiteFilesError } from './project.ts'
import { publicVariables, type ChosenPlaces, type Framework, type SiteFacts, type SiteFile } from './framework.ts'
import { aboutPage, editor, imports, manifestSource, pageImports, rendering } from './source.ts'

/** The folders app and pages are always siblings, so an existing one determines the place of the other. */
const appFolder = ({ has }: Project): string => (has('src/app') || (has('src/pages') && !has('app')) ? 'src/app' : 'app')

const rootLayout = /^((?:src\/)?app)((?:\/\([\w-]+\))*)\/layout\.[jt]sx?$/

/** The app folder, and the folder in it for pages. Throws a SiteFilesError for places that contradict the files of the site. */
function foldersOf(project: Project, { layoutPath, useSrcDir }: ChosenPlaces = {}): { readonly app: string; readonly pages: string } {
  const usual = appFolder(project)
  const [, app = useSrcDir === undefined ? usual : useSrcDir ? 'src/app' : 'app', groups = ''] = rootLayout.exec(layoutPath ?? '') ?? []
  if (layoutPath !== undefined && (!rootLayout.test(layoutPath) || !project.has(layoutPath))) {
    throw new SiteFilesError(`${layoutPath} is not a root layout of this site; use one such as app/layout.tsx or app/(site)/layout.tsx, or omit layoutPath`)
  }
  const isElsewhere = app !== usual && ['app', 'pages'].some((name) => project.has(usual.replace(/app$/, name)))
  if (isElsewhere || (useSrcDir !== undefined && useSrcDir !== app.startsWith('src/'))) {
    throw new SiteFilesError(`the site already uses ${isElsewhere ? usual : app}; omit useSrcDir`)
  }
  return { app, pages: app + groups }
}

const hasPages = ({ has }: Project): boolean => has('pages') || has('src/pages')

/** With Cache Components, which new projects have, Next.js prerenders pages, except for browsers in its draft mode. */
const isPrerendered = ({ read }: Project): boolean =>
  ['ts', 'mts', 'js', 'mjs'].some((ending) => /^[^/*]*\bcacheComponents\s*:\s*true\b/m.test(read(`next.config.${ending}`)))

/** Returns the facts of a site, completed by the configuration of Next.js. */
export const nextFacts = <T extends SiteFacts>(project: Project, facts: T): T => ({ ...facts, prerendered: isPrerendered(project) })

const importRequest = ({ prerendered }: SiteFacts): string => prerendered
  ? importing('{ draftMode, headers }', 'next/headers') + importing('{ connection }', 'next/server')
  : importing('{ headers }', 'next/headers')
const importDraftMode = ({ prerendered }: SiteFacts): string => (prerendered ? importing('{ draftMode }', 'next/headers') : '')
const importRevalidate = importing('{ revalidatePath }', 'next/cache')
const importCache = importing('{ cache }', 'react')

const fetchPage = (headers: string, { siteId }: SiteFacts): string =>
  `fetchEditorPage(slug, { headers: ${headers} }, { adapter, siteId: '${siteId}' })`

const aboutRead = `/** A page: ${aboutPage} */\n`

/** Declares `read`, which returns the page of a slug. */
const reader = (facts: SiteFacts): string => facts.prerendered
  ? `${aboutRead}const read = cache(async (slug«: string») => {
  if (!(await draftMode()).isEnabled) return published(slug)
  await connection()
  return ${fetchPage('await headers()', facts)}
})

/** A page for visitors, cached until the next publish. */
async function published(slug«: string») {
  'use cache'
  return ${fetchPage('{}', facts)}
}
`
  : `${aboutRead}const read = cache(async (slug«: string») => ${fetchPage('await headers()', facts)})
`

const prerenderedPage = (parameter: string): string => `
// An unknown page gets the status 404 because no part of a page is sent before the whole is known.
// This needs a layout that does not read the request; otherwise remove ensureStatic.
export const ensureStatic = 'navigation'
export const instant = false
export const generateStaticParams = () => [{ ${parameter}: ['-'] }]
`

/** A page that shows the content at its address; `parameter` is its catch-all, `manifest` has block types. */
export const nextPage = (
  facts: SiteFacts, { parameter, manifest }: Readonly<Record<'parameter' | 'manifest', string>>,
): string => `${pageImports(facts, 'renderEditorBody', manifest)}${importRequest(facts)}${
  importing('{ notFound }', 'next/navigation')}${importCache}
${facts.content.pageSource}${facts.prerendered ? prerenderedPage(parameter) : ''}«
interface Props {
  readonly params: Promise<{ readonly ${parameter}?: readonly string[] }>
}
»
${reader(facts)}
const slugOf = async ({ params }«: Props») => \`/\${((await params).${parameter} ?? []).join('/')}\`

export async function generateMetadata(props«: Props») {
  const { page } = await read(await slugOf(props))
  return { title: page?.meta?.title ?? page?.title, description: page?.meta?.description }
}

${exporting} async function Page(props«: Props») {
  const shown = await read(await slugOf(props))
  if (!shown.page) notFound()
  const html = renderEditorBody(shown, ${rendering(facts)})
  return <div dangerouslySetInnerHTML={{ __html: html }} />
}
`

const simpleGet = 'export const GET = editor.fetch'

const draftGet = `/** Also starts and ends the draft mode of Next.js, without which it answers with prerendered pages. */
export async function GET(request«: Request») {
  const response = await editor.fetch(request)
  if (response.status === 307) {
    const mode = await draftMode()
    if (new URL(request.url).pathname.endsWith('/disable')) mode.disable()
    else mode.enable()
  }
  return response
}`

/** The editor routes. */
export const nextRoute = (facts: SiteFacts, manifest: string): string => `${imports(facts, manifest)}${
  facts.cms === undefined && !facts.prerendered ? editor(facts, 'const') : importRevalidate + importDraftMode(facts) + editor(facts, 'const', published(facts))}
${facts.prerendered ? draftGet : simpleGet}
export const POST = editor.fetch
export const OPTIONS = editor.fetch
`

/** A home page that shows content of the editor if there is any, otherwise the original page of the site next to it. */
export const nextHome = (facts: SiteFacts, { original, exported }: { readonly original: string; readonly exported: readonly string[] }): string =>
  `${pageImports(facts, 'renderEditorBody', '../lib/manifest')}${importRequest(facts)}${importCache}${
    importing('Original', `./${original}`)}
${facts.content.pageSource}
${reader(facts)}
${exported.length > 0 ? `export { ${exported.join(', ')} } from './${original}'\n\n` : ''}${exporting} async function Page() {
  const shown = await read('/')
  if (!shown.page) return <Original />
  return <div dangerouslySetInnerHTML={{ __html: renderEditorBody(shown, ${rendering(facts)}) }} />
}
`

const home = `export { default, generateMetadata } from './[...path]/page'\n`

const layout = `«${importing('type { ReactNode }', 'react')}
»${exporting} function Layout({ children }«: { readonly children: ReactNode }») {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  )
}
`

/** Visitors get cached content of the CMS until something is published. */
const cached = "{ fetch: (url, request) => fetch(url, { ...request, cache: 'force-cache' }) }"

const published = ({ content }: SiteFacts): string => `async (...publication) => {
    const result = await ${content.publish}(...publication)
    revalidatePath('/', 'layout')
    return result
  }`

const revalidate = `${importing('{ hash, timingSafeEqual }', 'node:crypto')}${importRevalidate}
/** Called by a webhook of the CMS with the header x-revalidate-secret: visitors see what was changed there. */
export async function POST(request«: Request») {
  const secret = ${env}['REVALIDATE_SECRET']
  const given = request.headers.get('x-revalidate-secret')
  if (!secret || !given || !timingSafeEqual(hash('sha256', secret, 'buffer'), hash('sha256', given, 'buffer'))) return Response.json({ error: 'unauthorized' }, { status: 401 })
  revalidatePath('/', 'layout')
  return Response.json({ revalidated: true })
}
`

/** Before version 16 it is called middleware. An existing one is kept. */
function proxyFor({ dependencies, has }: Project, app: string, code: string): readonly SiteFile[] {
  const isOld = /^\D*(?:[1-9]|1[0-5])(?:\D|$)/.test(dependencies.get('next') ?? '')
  const folder = app.replace(/app$/, '')
  const exists = ['middleware', 'proxy'].some((name) => ['ts', 'js', 'mjs'].some((ending) => has(`${folder}${name}.${ending}`)))
  const name = isOld ? 'middleware' : 'proxy'
  return exists ? [] : [{ path: `${folder}${name}.${code}`, text: proxy(name) }]
}

const proxy = (name: string): string => `${importing('{ NextResponse«, type NextRequest» }', 'next/server')}
const editors = new Set([${env}['EDITOR_CORS_ORIGINS'], ${env}['NEXT_PUBLIC_EDITOR_ORIGIN']].flatMap((list) => list?.split(',') ?? []).map((origin) => origin.trim()))

/** Drafts are shown in frames of editors only and are not cached; their addresses, which may hold the secret, are sent to no other site. */
export function ${name}({ cookies, nextUrl }«: NextRequest») {
  const response = NextResponse.next()
  const isDraft = ['editor_draft', '__Host-editor_draft'].some((cookie) => cookies.has(cookie)) || nextUrl.searchParams.has('secret')
  if (!isDraft) return response
  response.headers.set('content-security-policy', ["frame-ancestors 'self'", ...editors].join(' '))
  response.headers.set('referrer-policy', 'no-referrer')
  response.headers.set('cache-control', 'no-store')
  return response
}

export const config = { matcher: '/((?!api/|_next/).*)' }
`

/** Next.js, app router. */
export const next: Framework = {
  name: 'next',
  dependency: 'next',
  files(project, given) {
    const facts = nextFacts(project, given)
    const { app, pages } = foldersOf(project, facts.places)
    const { code } = project
    const ending = code === 'ts' ? 'tsx' : code
    const { cms, content, blocks } = facts
    const shown = { ...facts, content: cms === undefined ? content : cmsSource(cms, cached) }
    return [
      { path: `${app}/api/editor/[...path]/route.${code}`, text: nextRoute(facts, '../../../../lib/manifest') },
      ...(cms === undefined ? [] : [{ path: `${app}/api/revalidate/route.${code}`, text: revalidate }]),
      ...(blocks ? [{ path: `${app.replace(/app$/, 'lib')}/manifest.${code}`, text: manifestSource }] : []),
      {
        path: `${pages}/[...path]/page.${ending}`,
        text: nextPage(shown, { parameter: 'path', manifest: '../../lib/manifest' }),
      },
      ...(hasPages(project) ? [] : [{ path: `${pages}/page.${ending}`, text: home }]),
      ...(facts.places?.layoutPath === undefined ? [{ path: `${app}/layout.${ending}`, text: layout }] : []),
      ...proxyFor(project, app, code),
    ]
  },
  variablesFile: '.env.local',
  variables: publicVariables,
  cmsVariables: ['REVALIDATE_SECRET'],
  steps: (_, files) => [
    ...files
      .filter(({ path, action, isSame }) => /(?:^|\/)app\/page\.\w+$/.test(path) && action === 'skip' && isSame !== true)
      .flatMap(({ path }) => [`To see the home page of the content, let ${path} hold nothing but this line:`, home.trim()]),
    'Start the site: npx next dev',
  ],
}
