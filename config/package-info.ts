import { readFileSync } from 'node:fs'

/** The parts of our own package.json that the command line tells or obeys. */
export interface PackageInfo {
  readonly version: string
  readonly engines: { readonly node: string }
}

/** Reads our own package.json, one folder up from the sources and two up from what is published. */
export function packageInfo(): PackageInfo {
  for (const path of ['../package.json', '../../package.json']) {
    try {
      const info: PackageInfo & { readonly name?: string } = JSON.parse(
        readFileSync(new URL(path, import.meta.url), 'utf8'),
      )
      if (info.name === 'content-orchestrator') return info
    } catch {
      // The other place has it.
    }
  }
  throw new Error('the package.json of content-orchestrator is missing; install the package again')
}

/** True when a Node version is within a range of the forms `^22.22.3`, `>=24.15` and `a || b`. */
export function isWithin(version: string, range: string): boolean {
  const [major = 0, minor = 0, patch = 0] = numbers(version)
  return range.split('||').some((part) => {
    const [wantedMajor = 0, wantedMinor = 0, wantedPatch = 0] = numbers(part)
    const isLater = minor > wantedMinor || (minor === wantedMinor && patch >= wantedPatch)
    return (major === wantedMajor && isLater) || (part.trim().startsWith('>=') && major > wantedMajor)
  })
}

const numbers = (version: string): readonly number[] => (version.match(/\d+/g) || []).map(Number)
