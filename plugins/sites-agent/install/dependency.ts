import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { SiteFilesError } from './failure.ts'

const Manifest = v.object({ dependencies: v.optional(v.record(v.string(), v.string()), {}), devDependencies: v.optional(v.record(v.string(), v.string()), {}) })

/** Adds packages that a package.json lacks, in the form that the file has; says which. */
export async function addDependencies(folder: string, wanted: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const file = join(folder, 'package.json')
  const text = await readFile(file, 'utf8')
  const manifest: unknown = JSON.parse(text)
  const { success, output } = v.safeParse(Manifest, manifest)
  if (!success) throw new SiteFilesError('package.json lists packages in a way that npm does not read; correct it first')
  const missing = Object.entries(wanted).filter(([name]) => output.dependencies[name] === undefined && output.devDependencies[name] === undefined)
  if (missing.length === 0) return []
  const dependencies = Object.fromEntries([...Object.entries(output.dependencies), ...missing].toSorted(([a], [b]) => (a < b ? -1 : 1)))
  const indent = /^([ \t]+)"/m.exec(text)?.[1] ?? '  '
  await writeFile(file, `${JSON.stringify(Object.assign({}, manifest, { dependencies }), null, indent)}\n`)
  return missing.map(([name]) => name)
}
