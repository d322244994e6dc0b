import { usualVariables, type Framework } from './framework.ts'
import type { PlannedFile } from './plan.ts'
import type { Project } from './project.ts'
import { editorModule, manifestSource } from './source.ts'

/** A framework whose server people put together by hand, as lines of source text. */
interface ByHand {
  readonly name: string
  readonly dependency?: string
  /** What listens, where that is not the framework itself. */
  readonly listener?: string
  readonly imports: string
  readonly setUp: readonly string[]
  /** Puts the editor routes and the pages into it. */
  readonly mount: readonly string[]
  readonly listen: readonly string[]
}

/** Such a website gets a module with its routes and pages, and a server where it seems to have none yet. */
export function byHand({ name, dependency, listener = '', ...lines }: ByHand): Framework {
  return {
    name,
    ...(dependency !== undefined && { dependency }),
    files(project, facts) {
      const path = moduleFile(project)
      const server = [lines.imports + importOf(path), '', 'const port = Number(process.env.PORT ?? 3000)', ...lines.setUp, ...lines.mount, '', ...lines.listen, '']
      const isBare = !project.isTypeScript && !hasServer(project) && (listener === '' || project.dependencies.has(listener))
      const manifest = `manifest.${endingOf(project)}`
      return [
        { path, text: editorModule(facts, project, importable(manifest)) },
        ...(facts.blocks ? [{ path: manifest, text: manifestSource(project) }] : []),
        ...(isBare ? [{ path: serverFile(project), text: server.join('\n') }] : []),
      ]
    },
    variablesFile: '.env',
    variables: usualVariables,
    steps: (project, files) =>
      isPlanned(files, serverFile(project))
        ? [`Start the site: node ${serverFile(project)}`]
        : ['Mount it in your server, and start that:', importOf(files[0]?.path ?? moduleFile(project)), ...lines.mount],
  }
}

const isPlanned = (files: readonly PlannedFile[], path: string): boolean => files.some((file) => file.path === path && file.action === 'create')

/** The ending makes Node read a file as a module. */
const endingOf = ({ isTypeScript, isCommonJs }: Project): string => (isTypeScript ? 'ts' : isCommonJs ? 'mjs' : 'js')
const moduleFile = (project: Project): string => `editor-routes.${endingOf(project)}`
const serverFile = (project: Project): string => `server.${endingOf(project)}`

/** Compilers want the name that TypeScript is compiled to. */
const importable = (file: string): string => `./${file.replace(/\.ts$/, '.js')}`
const importOf = (file: string): string => `import { editor, show } from '${importable(file)}'`

const hasServer = ({ has }: Project): boolean =>
  has('src') || ['editor-routes', 'server', 'index', 'app', 'main'].some((name) => ['js', 'mjs', 'cjs', 'ts'].some((ending) => has(`${name}.${ending}`)))
