import { glob, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { doors, pathOf } from '../surface/doors.ts'

/** The Markdown files of the package that hold code. */
export async function readmes(): Promise<readonly string[]> {
  return Array.fromAsync(
    glob(['README.md', 'plugins/RECIPES.md', '{config,kernel,plugins}/**/README.md'], { cwd: pathOf('.') }),
  )
}

/** The code blocks of a Markdown file in one language. */
export async function blocksOf(file: string, language: string): Promise<readonly string[]> {
  const text = await readFile(pathOf(file), 'utf8')
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm'))].map(
    ([, block = '']) => block,
  )
}

/** The file name in the first line of a block, if there is one. */
export const nameOf = (block: string): string | undefined => /^\/\/ ([\w.-]+)\n/.exec(block)?.[1]

/** Writes a block to a module file that can import this package and its dependencies. */
export async function moduleOf(folder: string, name: string, block: string): Promise<string> {
  const code = doors().reduce(
    (text, { address, file }) => text.replaceAll(`'${address}'`, `'${pathToFileURL(pathOf(file)).href}'`),
    block,
  )
  await mkdir(folder, { recursive: true })
  await symlink(pathOf('node_modules'), join(folder, 'node_modules')).catch(() => undefined)
  const file = join(folder, name)
  await writeFile(file, code)
  return file
}
