import type { Project } from './project.ts'

/** The module of a server that is put together by hand; its ending makes Node read it as a module. */
export function moduleFile({ isTypeScript, isCommonJs }: Project): string {
  return `editor-routes.${isTypeScript ? 'ts' : isCommonJs ? 'mjs' : 'js'}`
}

/** How it is imported; compilers want the name that TypeScript is compiled to. */
export function importOf(file: string): string {
  return `import { editor } from './${file.replace(/\.ts$/, '.js')}'`
}
