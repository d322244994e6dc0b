// Installs the packages for npm scripts if node_modules lacks some or is outdated: for `start` those that
// the service needs and Node, which is a package of development, otherwise all. A later `npm test` adds the
// rest to a running service, so nothing is deleted first, as `npm ci` does.
// Builds the scripts for browsers if their sources changed.
// Plain JavaScript, because the installed Node may be too old for TypeScript.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const at = (path) => fileURLToPath(new URL(path, import.meta.url))
const changedAt = (path) => statSync(at(path), { throwIfNoEntry: false })?.mtimeMs ?? 0
const installed = '../node_modules/.package-lock.json'
const isOld = () => changedAt(installed) < changedAt('../package-lock.json')
const hasAll = () =>
  changedAt(installed) > 0 && readFileSync(at(installed), 'utf8').includes('"node_modules/tap"')
const isStart = process.argv[2] === 'start'
const isReady = () => !isOld() && (isStart || hasAll())

const filesIn = (folder) => readdirSync(at(folder), { recursive: true }).map((name) => join(at(folder), name))
const browserSources = ['../plugins/site/browser', '../plugins/studio/app'].flatMap(filesIn)
/** What the studio shares with the service. */
const sharedSources = ['../plugins/client', '../plugins/content'].flatMap(filesIn)
const isBuilt = () => {
  const built = changedAt('../.built/preview.js')
  return [...browserSources, ...sharedSources].every((file) => statSync(file).mtimeMs < built)
}

/** The packages of development that the sources import: the build takes them into its scripts. */
function bundledPackages({ devDependencies, peerDependencies }) {
  const texts = ['../kernel', '../plugins', '../config']
    .flatMap(filesIn)
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => readFileSync(file, 'utf8'))
  const imported = texts.flatMap((text) => [
    ...text.matchAll(/(?:\bfrom |\bimport\()'((?:@[\w-]+\/)?[\w-]+)(?:\/[\w./-]+)?'/g),
  ])
  const names = [...new Set(imported.map(([, name]) => name))].toSorted()
  return names.filter((name) => name in devDependencies && !(name in peerDependencies))
}

/** Runs npm and returns its exit code. */
function install() {
  const { packages } = JSON.parse(readFileSync(at('../package-lock.json'), 'utf8'))
  // The start names variables of a language model, for which a website would install the package.
  const needed = ['node', '@anthropic-ai/sdk', ...bundledPackages(packages[''])].map(
    (name) => `${name}@${packages[`node_modules/${name}`].version}`,
  )
  const few = isStart && !hasAll()
  console.error(
    `Installing ${few ? 'the packages that npm start needs' : 'all packages'} from the npm registry.`,
  )
  const which = few ? ['--omit=dev', '--save-prod', ...needed] : []
  // Node itself may be older than the packages need, of which npm would warn: they run on the installed one.
  const args = ['install', '--no-save', '--loglevel=error', ...soon, ...which]
  const { status } = spawnSync('npm', args, {
    cwd: at('..'),
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  })
  if (status !== 0) console.error(remedy)
  return status ?? 1
}

/** By default npm waits and tries again for minutes if the registry cannot be reached, and prints nothing. */
const soon = ['--fetch-retries=1', '--fetch-retry-mintimeout=1000', '--fetch-timeout=30000']
const remedy =
  'The packages are not installed, npm says why above. If it cannot reach the registry: connect this machine, or set ' +
  'its proxy with npm config set https-proxy URL. Then run the command again.'

if (!isReady()) process.exitCode = install()

if (!process.exitCode && !isBuilt()) {
  const { status } = spawnSync(at('../node_modules/.bin/node'), [at('bundle.ts')], {
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  })
  process.exitCode = status ?? 1
}
