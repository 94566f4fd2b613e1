import { launch } from './.scratch/lib.mjs';
import { readFileSync, readdirSync } from 'node:fs';
const OUT='/tmp/w/h/dash4/.scratch/shots';
const [,, prefix, w, out, ...names]=process.argv;
const b=await launch(); const p=await (await b.newContext({viewport:{width:Number(w)*names.length+20,height:300}})).newPage();
await p.setContent('<body style="margin:0;background:#888;display:flex;gap:5px;align-items:flex-start">'+names.map(n=>`<img style="width:${w}px" src="data:image/png;base64,${readFileSync(`${OUT}/${prefix}${n}.png`).toString('base64')}">`).join('')+'</body>');
await p.waitForTimeout(300); await p.screenshot({path:`${OUT}/${out}.png`,fullPage:true}); await b.close();
