import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/**
 * Shapes text with HarfBuzz. The package's own JavaScript loads asynchronously at import. This binding of the same WebAssembly
 * loads synchronously with the first text that needs it, so that setting text stays synchronous.
 */

/** A glyph in drawing order, left to right. Measures are in the font's units. */
export interface ShapedGlyph {
  readonly id: number;
  /** The index in the text at which the characters of this glyph begin. Glyphs with the same number form one cluster. */
  readonly cluster: number;
  readonly advance: number;
  readonly x: number;
  readonly y: number;
}

export type Direction = 'ltr' | 'rtl';

interface Exports {
  readonly memory: WebAssembly.Memory;
  __wasm_call_ctors(): void;
  malloc(size: number): number;
  free(pointer: number): void;
  hb_blob_create(data: number, length: number, mode: number, userData: number, destroy: number): number;
  hb_face_create(blob: number, index: number): number;
  hb_font_create(face: number): number;
  hb_buffer_create(): number;
  hb_buffer_destroy(buffer: number): void;
  hb_buffer_add_utf16(buffer: number, text: number, length: number, offset: number, count: number): void;
  hb_buffer_set_direction(buffer: number, direction: number): void;
  hb_buffer_guess_segment_properties(buffer: number): void;
  hb_buffer_get_glyph_infos(buffer: number, length: number): number;
  hb_buffer_get_glyph_positions(buffer: number, length: number): number;
  hb_buffer_get_length(buffer: number): number;
  hb_shape(font: number, buffer: number, features: number, count: number): void;
}

// Constants and layouts of hb-common.h and hb-buffer.h.
const READ_ONLY = 1;
const DIRECTION = { ltr: 4, rtl: 5 } as const;
const ENTRY_SIZE = 20;

const PAGE = 65_536;

let compiled: WebAssembly.Module | undefined;

/** One instance with its own memory, which is freed with it. */
export class HarfBuzz {
  readonly #hb: Exports;

  constructor() {
    const file = createRequire(import.meta.url).resolve('harfbuzzjs/dist/harfbuzz.wasm');
    compiled ??= new WebAssembly.Module(readFileSync(file));
    const fail = () => {
      throw new Error('HarfBuzz stopped.');
    };
    const { exports } = new WebAssembly.Instance(compiled, {
      env: {
        _abort_js: fail,
        _emscripten_runtime_keepalive_clear: fail,
        _setitimer_js: fail,
        emscripten_resize_heap: (size: number) => this.#grow(size),
      },
      wasi_snapshot_preview1: { proc_exit: fail },
    });
    this.#hb = exports as unknown as Exports;
    this.#hb.__wasm_call_ctors();
  }

  /** Takes an OpenType file and returns a function that shapes text of one direction in it. */
  font(file: Uint8Array): (text: string, direction: Direction) => ShapedGlyph[] {
    const hb = this.#hb;
    const data = hb.malloc(file.length);
    new Uint8Array(hb.memory.buffer).set(file, data);
    const font = hb.hb_font_create(
      hb.hb_face_create(hb.hb_blob_create(data, file.length, READ_ONLY, 0, 0), 0),
    );
    return (text, direction) => {
      const buffer = hb.hb_buffer_create();
      this.#addText(buffer, text);
      hb.hb_buffer_set_direction(buffer, DIRECTION[direction]);
      hb.hb_buffer_guess_segment_properties(buffer);
      hb.hb_shape(font, buffer, 0, 0);
      const glyphs = this.#read(buffer);
      hb.hb_buffer_destroy(buffer);
      return glyphs;
    };
  }

  #addText(buffer: number, text: string): void {
    const hb = this.#hb;
    const units = hb.malloc(2 * text.length);
    const view = new Uint16Array(hb.memory.buffer, units, text.length);
    for (let index = 0; index < text.length; index += 1) view[index] = text.charCodeAt(index);
    hb.hb_buffer_add_utf16(buffer, units, text.length, 0, text.length);
    hb.free(units);
  }

  #read(buffer: number): ShapedGlyph[] {
    const hb = this.#hb;
    const infos = hb.hb_buffer_get_glyph_infos(buffer, 0);
    const positions = hb.hb_buffer_get_glyph_positions(buffer, 0);
    const view = new DataView(hb.memory.buffer);
    return Array.from({ length: hb.hb_buffer_get_length(buffer) }, (_, index) => {
      const [info, position] = [infos + index * ENTRY_SIZE, positions + index * ENTRY_SIZE];
      return {
        id: view.getUint32(info, true),
        cluster: view.getUint32(info + 8, true),
        advance: view.getInt32(position, true),
        x: view.getInt32(position + 8, true),
        y: view.getInt32(position + 12, true),
      };
    });
  }

  #grow(size: number): number {
    const { memory } = this.#hb;
    memory.grow(Math.ceil((size - memory.buffer.byteLength) / PAGE));
    return 1;
  }
}
