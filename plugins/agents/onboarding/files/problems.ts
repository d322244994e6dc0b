import { Problem } from '../problem.ts'

/** Problems with paths and sites in the workspace. */
export const problems = {
  outside: () =>
    new Problem(
      'This path is outside the site, or leads through a link. Use a path relative to the folder of the site.',
    ),
  isFolder: () => new Problem('This path is a folder. Name a file in it.'),
  notThere: () => new Problem('This path does not exist. List the folder first.'),
  tooLarge: (most: number) => new Problem(`The file exceeds ${most} bytes. Read or change a smaller one.`),
  siteExists: (id: string) =>
    new Problem(`The workspace already has a folder '${id}'. Choose another site id.`),
  copyChanged: (path: string) =>
    new Problem(`'${path}' has changed since it was shown, so nothing was applied. Show the changes again.`),
  siteChanged: (path: string) =>
    new Problem(
      `'${path}' has changed in the site since it was copied, so nothing was applied. Start the run again.`,
    ),
} as const
