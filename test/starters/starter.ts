/** A website as its generator or its documentation makes it, and what a person does with it. */

/** A text that is typed in, on the page at `at`. */
export interface TypedText {
  readonly at: string
  /** The text as the page shows it. */
  readonly shown: string
  /** What is typed at its end. */
  readonly adds: string
  readonly file: string
  /** The end of the text as the file has it; without it `shown`. What is typed is behind it. */
  readonly source?: string
}

/** A picture of a document that is exchanged for another one of the website. */
export interface ExchangedPicture {
  readonly at: string
  readonly file: string
  /** What the page has for those who do not see it. */
  readonly alt: string
  /** Its address in the file, and the one of the other picture. */
  readonly from: string
  readonly to: string
}

export type StarterContents = Readonly<Record<string, string | Uint8Array>>

/** How the files of a website come to be. */
export type StarterFiles =
  | {
      readonly by: 'generator'
      /** What `npx` runs; `{folder}` is the folder, `{name}` its name, `{parent}` the one around it. */
      readonly command: readonly string[]
      /** What its documentation adds by hand. */
      readonly packages?: readonly string[]
      readonly files?: StarterContents
    }
  | {
      readonly by: 'package'
      /** A package that is a website, and the folders of it which are laid over each other. */
      readonly name: string
      readonly folders: readonly string[]
    }
  | {
      readonly by: 'hand'
      readonly packages: readonly string[]
      readonly scripts: Readonly<Record<string, string>>
      readonly files: StarterContents
    }

export interface Starter {
  readonly name: string
  readonly framework: string
  /** Where its files are from, for the guide. */
  readonly origin: string
  readonly made: StarterFiles
  /** A post, and the elements with its words; those of the theme, such as dates, and code are left out. */
  readonly post: { readonly at: string; readonly words: string; readonly leftOut?: string }
  /** What is typed: a heading, a paragraph with marks if there is one, a text of a component or the configuration. */
  readonly typed: readonly TypedText[]
  /** A title in front matter, as the page shows it. */
  readonly title: TypedText
  /** None where the generator makes no document with a picture. */
  readonly picture?: ExchangedPicture
  /** What is typed and undone. */
  readonly undone: TypedText
  /** A paragraph that moves above the one before it, on the page at `at`: both as the file has them. */
  readonly moved: {
    readonly at: string
    readonly file: string
    readonly before: string
    readonly paragraph: string
  }
  readonly created: { readonly file: string; readonly at?: string }
}
