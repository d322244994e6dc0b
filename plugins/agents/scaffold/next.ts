import { homeSteps, ownPages } from './own-pages.ts'
import { type Project, SiteFilesError } from './project.ts'
import {
  type ChosenPlaces,
  fillFor,
  type Framework,
  publicVariables,
  type SiteFacts,
  type SiteFile,
} from './framework.ts'
import { fill } from './template.ts'

/** The folders app and pages are always siblings, so an existing one determines the place of the other. */
const appFolder = ({ has }: Project): string =>
  has('src/app') || (has('src/pages') && !has('app')) ? 'src/app' : 'app'

const rootLayout = /^((?:src\/)?app)((?:\/\([\w-]+\))*)\/layout\.[jt]sx?$/

/** The app folder, and the folder in it for pages. Throws a SiteFilesError for places that contradict the files of the site. */
function foldersOf(
  project: Project,
  { layoutPath, useSrcDir }: ChosenPlaces = {},
): { readonly app: string; readonly pages: string } {
  const usual = appFolder(project)
  const [, app = useSrcDir === undefined ? usual : useSrcDir ? 'src/app' : 'app', groups = ''] =
    rootLayout.exec(layoutPath ?? '') ?? []
  if (layoutPath !== undefined && (!rootLayout.test(layoutPath) || !project.has(layoutPath))) {
    throw new SiteFilesError(
      `${layoutPath} is not a root layout of this site; use one such as app/layout.tsx or app/(site)/layout.tsx, or omit layoutPath`,
    )
  }
  const isElsewhere =
    app !== usual && ['app', 'pages'].some((name) => project.has(usual.replace(/app$/, name)))
  if (isElsewhere || (useSrcDir !== undefined && useSrcDir !== app.startsWith('src/'))) {
    throw new SiteFilesError(`the site already uses ${isElsewhere ? usual : app}; omit useSrcDir`)
  }
  return { app, pages: app + groups }
}

const hasPages = ({ has }: Project): boolean => has('pages') || has('src/pages')

/** With Cache Components, which new projects have, Next.js prerenders pages, except for browsers in its draft mode. */
const isPrerendered = ({ read }: Project): boolean =>
  ['ts', 'mts', 'js', 'mjs'].some((ending) =>
    /^[^/*\n\r\u2028\u2029]*\bcacheComponents\s*:\s*true\b/m.test(read(`next.config.${ending}`)),
  )

/** Returns the facts of a site, completed by the configuration of Next.js. */
const nextFacts = <T extends SiteFacts>(project: Project, facts: T): T => ({
  ...facts,
  prerendered: isPrerendered(project),
})

/** Visitors get cached content of a CMS until something is published. */
const pageValues = { render: 'renderEditorBody', cached: true }

/**
 * A page that shows the content at its address; `parameter` is its catch-all, `manifest` has block types. A `framed` one
 * is for editors whose secret is in the address.
 */
export const nextPage = (
  project: Pick<Project, 'code'>,
  facts: SiteFacts,
  values: Readonly<Record<'parameter' | 'manifest', string>> & { readonly framed?: boolean },
): string => fillFor('next/page', project, facts, { ...pageValues, ...values })

/** The editor routes. */
export const nextRoute = (project: Pick<Project, 'code'>, facts: SiteFacts, manifest: string): string =>
  fillFor('next/route', project, facts, {
    manifest,
    revalidates: facts.cms !== undefined || facts.prerendered === true,
  })

/** A home page that shows content of the editor if there is any, otherwise the original page of the site next to it. */
export const nextHome = (
  project: Project,
  siteId: string,
  { original, exported }: { readonly original: string; readonly exported: readonly string[] },
): string => {
  const facts = nextFacts(project, { siteId, cms: undefined, blocks: false })
  return fillFor('next/wrapped-home', project, facts, {
    ...pageValues,
    original,
    exported: exported.join(', '),
  })
}

/** Before version 16 it is called middleware. An existing one stays. */
function proxyFor(
  { dependencies, has, code }: Project,
  { prerendered }: SiteFacts,
  app: string,
): readonly SiteFile[] {
  const isOld = /^\D*(?:[1-9]|1[0-5])(?:\D|$)/.test(dependencies.get('next') ?? '')
  const folder = app.replace(/app$/, '')
  const exists = ['middleware', 'proxy'].some((name) =>
    ['ts', 'js', 'mjs'].some((ending) => has(`${folder}${name}.${ending}`)),
  )
  const name = isOld ? 'middleware' : 'proxy'
  const text = fill('next/proxy', code, { name, prerendered })
  return exists ? [] : [{ path: `${folder}${name}.${code}`, text }]
}

/** Next.js, app router. */
export const next: Framework = {
  name: 'next',
  dependency: 'next',
  files(project, given) {
    const facts = nextFacts(project, given)
    const { app, pages } = foldersOf(project, facts.places)
    const { code } = project
    const ending = code === 'ts' ? 'tsx' : code
    const plain = (name: string): string => fill(`next/${name}`, code, {})
    return [
      {
        path: `${app}/api/editor/[...path]/route.${code}`,
        text: nextRoute(project, facts, '../../../../lib/manifest'),
      },
      ...(facts.cms === undefined
        ? []
        : [{ path: `${app}/api/revalidate/route.${code}`, text: plain('revalidate') }]),
      ...(facts.blocks
        ? [{ path: `${app.replace(/app$/, 'lib')}/manifest.${code}`, text: fill('manifest', code, {}) }]
        : []),
      {
        path: `${pages}/[...path]/page.${ending}`,
        text: nextPage(project, facts, { parameter: 'path', manifest: '../../lib/manifest' }),
      },
      ...(facts.prerendered
        ? [
            {
              path: `${pages}/editor-draft/[[...path]]/page.${ending}`,
              text: nextPage(
                project,
                { ...facts, prerendered: false },
                { parameter: 'path', manifest: '../../../lib/manifest', framed: true },
              ),
            },
          ]
        : []),
      ...(hasPages(project) ? [] : [{ path: `${pages}/page.${ending}`, text: plain('home') }]),
      ...(facts.places?.layoutPath === undefined
        ? [{ path: `${app}/layout.${ending}`, text: plain('layout') }]
        : []),
      ...proxyFor(project, facts, app),
    ]
  },
  variablesFile: '.env.local',
  variables: publicVariables,
  cmsVariables: ['REVALIDATE_SECRET'],
  steps: (project) => [
    'Start the site: npx next dev',
    ...homeSteps(ownPages(project, 'next'), (home) =>
      /^(?:src\/)?app\/page\.\w+$/.test(home)
        ? [`let ${home} hold nothing but this line:`, fill('next/home', 'js', {}).trim()]
        : [],
    ),
  ],
}
