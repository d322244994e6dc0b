import { resolve } from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import { systemClock } from '../../kernel/index.ts'
import {
  cmsNames,
  cmsSteps,
  filesOf,
  type Framework,
  frameworkOf,
  frameworks,
  type Host,
  hostOf,
  notShown,
  ownPages,
  planFiles,
  type PlannedFile,
  type Project,
  readProject,
  type WantedFiles,
  writeFiles,
} from '../../plugins/agents/scaffold/port.ts'
import { isSiteId, siteIdRule, toSiteId } from '../../plugins/sites/port.ts'
import { hint } from '../../kernel/nearest.ts'
import { CommandError, defineCommand, jsonFlag, UsageError, type Io } from './shared/command.ts'

const frameworkNames = frameworks.map(({ name }) => name)
const needsYes =
  'nothing was written: add --yes to write these files, or run this on a terminal and answer yes'
const guess =
  '\npackage.json has no framework that init knows, so this is a server of its own; --framework names another. Any host that ' +
  'answers a Request can have the editor routes: see "Any other host" in plugins/site/README.md of the package.'

export const init = defineCommand({
  name: 'init',
  summary: 'Puts the editor routes, a page, first content and variables into a website; shows them first.',
  flags: {
    cwd: { value: 'FOLDER', help: 'The folder of the website; the working directory without it.' },
    framework: {
      value: 'NAME',
      help: `One of ${frameworkNames.join(', ')}; detected from package.json without it.`,
    },
    cms: {
      value: 'NAME',
      help: `Where the content is kept: ${cmsNames.join(', ')}, or none for a file of the project.`,
    },
    blocks: {
      value: 'KIND',
      help: 'default for the block types of the package, custom for a file with your own.',
    },
    'site-id': { value: 'ID', help: 'The id of the site; made from the name in package.json without it.' },
    yes: { help: 'Writes the files without asking.' },
    'dry-run': { help: 'Shows the files and writes none.' },
    ...jsonFlag,
  },
  async run(given, io) {
    const [isJson, isDry, isYes] = [given.has('json'), given.has('dry-run'), given.has('yes')]
    const project = await readProject(resolve(io.cwd, given.get('cwd') ?? ''))
    const framework = chooseFramework(given.get('framework'), project)
    const host = given.has('framework') ? undefined : hostFor(project, framework)
    if (host) throw new CommandError(linesFor(host, project, given.get('site-id')))
    const isAsking = !isJson && !isYes && !isDry && io.stdin.isTTY === true
    const reader = isAsking ? createInterface({ input: io.stdin, terminal: false }) : undefined
    const ask = reader && createAsk(reader, io)
    try {
      const choose = async (flag: 'blocks' | 'cms', question: string, options: readonly string[]) => {
        const [usual = ''] = options
        const promptText = `${question} (${options.join(', ')}; press Enter for ${usual})`
        const answer = given.get(flag) ?? (await ask?.(promptText))
        return answer ? oneOf(options, answer.toLowerCase(), flag) : usual
      }
      const source = await choose('cms', 'Where is the content kept?', ['none', ...cmsNames])
      const siteId = await chooseSiteId(given.get('site-id'), project.name, ask)
      const blocks = await choose('blocks', 'Which block types?', ['default', 'custom'])
      const cms = cmsNames.find((name) => name === source)
      const wanted = { project, framework, siteId, now: systemClock.now(), cms, blocks: blocks === 'custom' }
      const files = await planFiles(wanted)
      const isNew = files.some(({ action }) => action !== 'skip')

      const head = `A website with ${framework.name}, site id ${siteId}, in ${project.folder}`
      const isGuess = !given.has('framework') && framework.name === 'node' && project.dependencies.size > 0
      if (!isJson) io.print(`${head}${isGuess ? guess : ''}\n\n${drawFiles(files, io.paint)}\n`)
      // Any other answer means no, as does the end of input.
      const isConfirmed = async (): Promise<boolean> =>
        ['y', 'yes'].includes((await ask?.('Write these files? (yes or no)'))?.toLowerCase() ?? '')
      const written = isNew && !isDry && (isYes || (await isConfirmed()))
      if (written) await writeFiles(project.folder, files)

      const next = nextSteps(wanted, files)
      const result = { framework: framework.name, siteId, folder: project.folder, files, written, next }
      if (isJson) io.print(JSON.stringify(result, null, 2))
      else if (written || !isNew) io.print(['Next:', ...next.map((step) => `  ${step}`)].join('\n'))
      if (!written && isNew && !isDry) throw new CommandError(ask ? 'nothing was written' : needsYes)
    } finally {
      reader?.close()
      if (reader) io.stdin.pause()
    }
  },
})

function chooseFramework(name: string | undefined, project: Project): Framework {
  if (name !== undefined) oneOf(frameworkNames, name, 'framework')
  return frameworks.find((each) => each.name === name) ?? frameworkOf(project)
}

/**
 * Servers have pages built by Vite or a generator too, so only a project without a server is one of those.
 */
function hostFor(project: Project, { name }: Framework): Host | undefined {
  const host = hostOf(project)
  const isOwn = name === 'next' || name === 'astro' || (host?.isBuild === true && name !== 'node')
  return isOwn ? undefined : host
}

const besides = 'For a server of its own beside this website: npx content-orchestrator init --framework node'

/** The lines that connect a host for which no files are generated. */
function linesFor(host: Host, project: Project, siteId = project.name ?? ''): string {
  const head = `This is a website with ${host.name}: package.json has ${host.dependency}. Nothing was written: init generates no files for it.`
  if (host.template === undefined)
    return [
      head,
      'It builds its pages before they are requested; see "Any other host" in plugins/site/README.md of the package.',
      besides,
    ].join('\n')
  const files = Object.entries(filesOf(host, toSiteId(siteId) || 'my-site')).map(
    ([path, text]) => `${path}\n\n${text}`,
  )
  return [
    head,
    `These lines add the editor routes and the pages of content/pages.json, a list that may be [] at first:\n`,
    ...files,
    'Then install the package, npm install content-orchestrator, start the service and the site, and register the site.',
    besides,
  ].join('\n')
}

const outcomes = { create: 'new', append: 'gets new lines', skip: 'exists and is left unchanged' } as const

function drawFiles(files: readonly PlannedFile[], paint: Io['paint']): string {
  const blocks = files.map(({ path, action, text }) => {
    // Text that is appended to an unfinished line starts with a line break.
    const added = text
      .replace(/^\r?\n/, '')
      .split(/\r?\n/)
      .slice(0, -1)
    return [
      paint('bold', `${path} ${outcomes[action]}`),
      ...added.map((line) => paint('green', `+ ${line}`.trimEnd())),
    ].join('\n')
  })
  return blocks.join('\n\n')
}

function nextSteps({ project, framework, siteId, cms }: WantedFiles, files: readonly PlannedFile[]) {
  const isInstalled = project.dependencies.has('content-orchestrator')
  const id = siteId === toSiteId(project.name ?? '') ? '' : ` --id ${siteId}`
  return [
    ...(cms === undefined ? [] : cmsSteps(cms)),
    ...(isInstalled ? [] : ['Install the package: npm install content-orchestrator']),
    'Start the service, in a second terminal: npx content-orchestrator serve',
    `Register the site, which makes its secret and prints the address of its draft: npx content-orchestrator register${id}`,
    ...notShown(ownPages(project, framework.name), cms),
    ...framework.steps(project, files),
  ]
}

/** Asks a question on the terminal, and returns the typed line, or `undefined` at the end of input. */
type AskQuestion = (question: string) => Promise<string | undefined>

function createAsk(reader: Interface, { write }: Pick<Io, 'write'>): AskQuestion {
  const lines = reader[Symbol.asyncIterator]()
  return async (question) => {
    write(`${question} `)
    const { done, value } = await lines.next()
    return done === true ? undefined : value.trim()
  }
}

/** Checks that the value of a flag is one of the options; throws a UsageError otherwise. */
function oneOf(options: readonly string[], value: string, flag: string): string {
  if (options.includes(value)) return value
  throw new UsageError(
    `invalid value '${value}' for '--${flag}'${hint(value, options)}; expected ${options.join(', ')}`,
  )
}

/** Chooses a site id: the flag, the answer, or the package name. Throws a CommandError if it is invalid. */
async function chooseSiteId(flag: string | undefined, packageName: string | undefined, ask?: AskQuestion) {
  const proposed = toSiteId(packageName ?? '')
  const usual = isSiteId(proposed) ? ` (press Enter for ${proposed})` : ''
  const chosen = flag ?? ((await ask?.(`Which site id?${usual}`)) || undefined)
  if (chosen !== undefined && !isSiteId(chosen))
    throw new CommandError(`--site-id '${chosen}' is not a site id; use ${siteIdRule}`)
  if (chosen !== undefined || isSiteId(proposed)) return chosen ?? proposed
  throw new CommandError('package.json has no name that makes a site id; choose one with --site-id')
}
