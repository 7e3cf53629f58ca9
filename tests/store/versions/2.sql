-- Schema version 2: a store of revision 93a7365, made by tests/store/versions/make.
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE runs (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  title TEXT NOT NULL,
  config_text TEXT NOT NULL,
  config_hash TEXT NOT NULL,
  command TEXT NOT NULL,
  version TEXT NOT NULL,
  seed INTEGER NOT NULL,
  environment_json TEXT NOT NULL,
  published_json TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('running', 'interrupted', 'complete')),
  owner_pid INTEGER NOT NULL,
  owner_start_ticks INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  finished_at TEXT NOT NULL
) STRICT;
INSERT INTO runs VALUES(1,'finished','finished',replace('# The finished run of a dump: times, a published figure, and a status of each kind.\n[experiment]\nname = "finished"\n\n[measure]\nsamples = 6\nwarmup_seconds = 0\n\n[[reference]]\nsource = "Nobody"\nmetric = "median_ns"\naxis = "ns"\nmatch = { workload = "matmul", variant = "steady" }\nvalues = [[1000000, 1000000.0], [1100000, 1200000.0]]\n\n[[sweep]]\nworkload = "matmul"\nbackends = ["fake"]\nvariants = ["steady"]\n[sweep.parameters]\nn = [8]\nns = [1000000, 1100000]\n\n[[sweep]]\nworkload = "matmul"\nbackends = ["fake"]\nvariants = ["steady"]\n[sweep.parameters]\nn = [9]\nblock = [2048]\n\n[[sweep]]\nworkload = "matmul"\nbackends = ["fake"]\nvariants = ["wrong", "throws"]\n[sweep.parameters]\nn = [9]\n','\n',char(10)),'ad1e3d889a9f1609051b329299c3ec4b','benchctl run finished.toml','0.1.0',1,'[{"key":"cpu.model","class":"must_match","value":"left out"},{"key":"cpu.usable","class":"must_match","value":"left out"},{"key":"cpu.hypervisor","class":"must_match","value":"left out"},{"key":"cpu.quota","class":"should_match","value":"left out"},{"key":"cpu.governor","class":"should_match","value":"left out"},{"key":"cpu.microcode","class":"should_match","value":"left out"},{"key":"memory.total","class":"should_match","value":"left out"},{"key":"memory.transparent_hugepage","class":"should_match","value":"left out"},{"key":"system.kernel","class":"should_match","value":"left out"},{"key":"system.release","class":"should_match","value":"left out"},{"key":"system.c_library","class":"should_match","value":"left out"},{"key":"system.host","class":"information","value":"left out"},{"key":"system.load","class":"information","value":"left out"},{"key":"build.benchctl","class":"should_match","value":"0.1.0"},{"key":"build.compiler","class":"should_match","value":"left out"},{"key":"build.type","class":"should_match","value":"left out"},{"key":"build.flags","class":"should_match","value":"left out"}]','[{"axis":"ns","hardware":"","match":{"variant":"steady","workload":"matmul"},"metric":"median_ns","relative_to":null,"source":"Nobody","unit":"","values":[[1000000,1000000.0],[1100000,1200000.0]]}]','complete',2147483647,4138058,'2026-11-25T16:35:39.962Z','2026-11-25T16:35:40.273Z');
INSERT INTO runs VALUES(2,'interrupted','interrupted',replace('# The run of a dump that is killed at its second problem.\n[experiment]\nname = "interrupted"\n\n[measure]\nsamples = 6\nwarmup_seconds = 0\n\n[[sweep]]\nworkload = "matmul"\nbackends = ["fake"]\nvariants = ["steady", "noisy"]\n[sweep.parameters]\nn = [8, 9, 10]\nns = [1000000]\n','\n',char(10)),'be82ed8c7a87c737412a2459c8381e18','benchctl run interrupted.toml','0.1.0',1,'[{"key":"cpu.model","class":"must_match","value":"left out"},{"key":"cpu.usable","class":"must_match","value":"left out"},{"key":"cpu.hypervisor","class":"must_match","value":"left out"},{"key":"cpu.quota","class":"should_match","value":"left out"},{"key":"cpu.governor","class":"should_match","value":"left out"},{"key":"cpu.microcode","class":"should_match","value":"left out"},{"key":"memory.total","class":"should_match","value":"left out"},{"key":"memory.transparent_hugepage","class":"should_match","value":"left out"},{"key":"system.kernel","class":"should_match","value":"left out"},{"key":"system.release","class":"should_match","value":"left out"},{"key":"system.c_library","class":"should_match","value":"left out"},{"key":"system.host","class":"information","value":"left out"},{"key":"system.load","class":"information","value":"left out"},{"key":"build.benchctl","class":"should_match","value":"0.1.0"},{"key":"build.compiler","class":"should_match","value":"left out"},{"key":"build.type","class":"should_match","value":"left out"},{"key":"build.flags","class":"should_match","value":"left out"}]','[]','running',2147483647,4138119,'2026-11-25T16:35:40.727Z','');
CREATE TABLE lanes (
  id INTEGER PRIMARY KEY,
  run INTEGER NOT NULL REFERENCES runs,
  name TEXT NOT NULL,
  backend TEXT NOT NULL,
  device_json TEXT NOT NULL,
  UNIQUE (run, name)
) STRICT;
INSERT INTO lanes VALUES(1,1,'fake:0','fake','{"architecture":"fake","compute_units":1,"driver":"fake 1.0","features":[],"fp16":false,"fp64":true,"id":"0","last_level_cache_bytes":0,"limits":{"local_memory_bytes":0,"max_allocation_bytes":0,"max_block":[0,0,0],"max_block_threads":0,"max_grid":[0,0,0],"memory_bytes":1073741824},"max_batch":1000,"memory":{"bank_bytes":0,"banks":0,"dram":0,"line":0,"sector":0,"warp":0},"name":"Fake device 0","physical":"fake:0","properties":{},"timer_step_ns":1.0,"type":"cpu","vendor":"Nobody"}');
INSERT INTO lanes VALUES(2,2,'fake:0','fake','{"architecture":"fake","compute_units":1,"driver":"fake 1.0","features":[],"fp16":false,"fp64":true,"id":"0","last_level_cache_bytes":0,"limits":{"local_memory_bytes":0,"max_allocation_bytes":0,"max_block":[0,0,0],"max_block_threads":0,"max_grid":[0,0,0],"memory_bytes":1073741824},"max_batch":1000,"memory":{"bank_bytes":0,"banks":0,"dram":0,"line":0,"sector":0,"warp":0},"name":"Fake device 0","physical":"fake:0","properties":{},"timer_step_ns":1.0,"type":"cpu","vendor":"Nobody"}');
CREATE TABLE points (
  id INTEGER PRIMARY KEY,
  run INTEGER NOT NULL REFERENCES runs,
  ordinal INTEGER NOT NULL,
  sweep INTEGER NOT NULL,
  label TEXT NOT NULL,
  workload TEXT NOT NULL,
  variant TEXT NOT NULL,
  backend TEXT NOT NULL,
  device TEXT NOT NULL,
  problem_json TEXT NOT NULL,
  layout TEXT NOT NULL,
  tunables_json TEXT NOT NULL,
  measure_json TEXT NOT NULL,
  time_basis TEXT NOT NULL,
  expect TEXT NOT NULL,
  content_key TEXT NOT NULL,
  vendor INTEGER NOT NULL,
  flops REAL,
  bytes_read REAL,
  bytes_written REAL,
  accesses REAL,
  status TEXT NOT NULL,
  reason TEXT NOT NULL,
  finished INTEGER NOT NULL,
  reused_from INTEGER REFERENCES points,
  UNIQUE (run, ordinal)
) STRICT;
INSERT INTO points VALUES(1,1,0,0,'matmul/steady @ fake:0 dtype=f32 k=8 m=8 n=8 block=1 fault_verb=run noise=0 noise_seed=1 ns=1000000 tile=1','matmul','steady','fake','fake:0','{"dtype":"f32","k":8,"m":8,"n":8}','','{"block":1,"fault_verb":"run","noise":0.0,"noise_seed":1,"ns":1000000,"tile":1}','{"basis":"device","cache":"hot","fixed_samples":6,"launch":"stream","max_samples":10000,"max_seconds":2.0,"min_sample_ns":20000.0,"min_samples":30,"min_timer_steps":200.0,"seed":1,"target":0.01,"warmup_seconds":0.0}','device','right','18b492749f6cd252b3ef2710a34956db',0,1024.0,512.0,256.0,0.0,'ok','',1,NULL);
INSERT INTO points VALUES(2,1,1,0,'matmul/steady @ fake:0 dtype=f32 k=8 m=8 n=8 block=1 fault_verb=run noise=0 noise_seed=1 ns=1100000 tile=1','matmul','steady','fake','fake:0','{"dtype":"f32","k":8,"m":8,"n":8}','','{"block":1,"fault_verb":"run","noise":0.0,"noise_seed":1,"ns":1100000,"tile":1}','{"basis":"device","cache":"hot","fixed_samples":6,"launch":"stream","max_samples":10000,"max_seconds":2.0,"min_sample_ns":20000.0,"min_samples":30,"min_timer_steps":200.0,"seed":1,"target":0.01,"warmup_seconds":0.0}','device','right','e482ee8286fed840f15ee2eaa8f2a192',0,1024.0,512.0,256.0,0.0,'ok','',1,NULL);
INSERT INTO points VALUES(3,1,2,1,'matmul/steady @ fake:0 dtype=f32 k=9 m=9 n=9 block=2048 fault_verb=run noise=0 noise_seed=1 ns=100000 tile=1','matmul','steady','fake','fake:0','{"dtype":"f32","k":9,"m":9,"n":9}','','{"block":2048,"fault_verb":"run","noise":0.0,"noise_seed":1,"ns":100000,"tile":1}','{"basis":"device","cache":"hot","fixed_samples":6,"launch":"stream","max_samples":10000,"max_seconds":2.0,"min_sample_ns":20000.0,"min_samples":30,"min_timer_steps":200.0,"seed":1,"target":0.01,"warmup_seconds":0.0}','device','right','',0,0.0,0.0,0.0,0.0,'skipped','constraint: variant ''steady'' needs block <= 1024 (block=2048)',1,NULL);
INSERT INTO points VALUES(4,1,3,2,'matmul/wrong @ fake:0 dtype=f32 k=9 m=9 n=9 fault_verb=run noise=0 noise_seed=1 ns=100000 tile=1','matmul','wrong','fake','fake:0','{"dtype":"f32","k":9,"m":9,"n":9}','','{"fault_verb":"run","noise":0.0,"noise_seed":1,"ns":100000,"tile":1}','{"basis":"device","cache":"hot","fixed_samples":6,"launch":"stream","max_samples":10000,"max_seconds":2.0,"min_sample_ns":20000.0,"min_samples":30,"min_timer_steps":200.0,"seed":1,"target":0.01,"warmup_seconds":0.0}','device','right','5d5a9f16d8bac7a2f063034cb9b6f437',0,1458.0,648.0,324.0,0.0,'wrong','error norm 0.111 exceeds the tolerance 1.72e-06 of f32 sums of 9 products; worst C[8, 8] = 1.59284687, expected 0.592846847',1,NULL);
INSERT INTO points VALUES(5,1,4,2,'matmul/throws @ fake:0 dtype=f32 k=9 m=9 n=9 fault_verb=run noise=0 noise_seed=1 ns=100000 tile=1','matmul','throws','fake','fake:0','{"dtype":"f32","k":9,"m":9,"n":9}','','{"fault_verb":"run","noise":0.0,"noise_seed":1,"ns":100000,"tile":1}','{"basis":"device","cache":"hot","fixed_samples":6,"launch":"stream","max_samples":10000,"max_seconds":2.0,"min_sample_ns":20000.0,"min_samples":30,"min_timer_steps":200.0,"seed":1,"target":0.01,"warmup_seconds":0.0}','device','right','f022eea714785744c895e46b9062e39c',0,1458.0,648.0,324.0,0.0,'launch_error','verifying: scripted failure',1,NULL);
INSERT INTO points VALUES(6,2,0,0,'matmul/steady @ fake:0 dtype=f32 k=8 m=8 n=8 block=1 fault_verb=run noise=0 noise_seed=1 ns=1000000 tile=1','matmul','steady','fake','fake:0','{"dtype":"f32","k":8,"m":8,"n":8}','','{"block":1,"fault_verb":"run","noise":0.0,"noise_seed":1,"ns":1000000,"tile":1}','{"basis":"device","cache":"hot","fixed_samples":6,"launch":"stream","max_samples":10000,"max_seconds":2.0,"min_sample_ns":20000.0,"min_samples":30,"min_timer_steps":200.0,"seed":1,"target":0.01,"warmup_seconds":0.0}','device','right','18b492749f6cd252b3ef2710a34956db',0,1024.0,512.0,256.0,0.0,'ok','',1,NULL);
INSERT INTO points VALUES(7,2,1,0,'matmul/noisy @ fake:0 dtype=f32 k=8 m=8 n=8 fault_verb=run noise=0 noise_seed=1 ns=1000000 tile=1','matmul','noisy','fake','fake:0','{"dtype":"f32","k":8,"m":8,"n":8}','','{"fault_verb":"run","noise":0.0,"noise_seed":1,"ns":1000000,"tile":1}','{"basis":"device","cache":"hot","fixed_samples":6,"launch":"stream","max_samples":10000,"max_seconds":2.0,"min_sample_ns":20000.0,"min_samples":30,"min_timer_steps":200.0,"seed":1,"target":0.01,"warmup_seconds":0.0}','device','right','6f328d37e9765818da393c108a16d695',0,1024.0,512.0,256.0,0.0,'ok','',1,NULL);
INSERT INTO points VALUES(8,2,2,0,'matmul/steady @ fake:0 dtype=f32 k=9 m=9 n=9 block=1 fault_verb=run noise=0 noise_seed=1 ns=1000000 tile=1','matmul','steady','fake','fake:0','{"dtype":"f32","k":9,"m":9,"n":9}','','{"block":1,"fault_verb":"run","noise":0.0,"noise_seed":1,"ns":1000000,"tile":1}','{"basis":"device","cache":"hot","fixed_samples":6,"launch":"stream","max_samples":10000,"max_seconds":2.0,"min_sample_ns":20000.0,"min_samples":30,"min_timer_steps":200.0,"seed":1,"target":0.01,"warmup_seconds":0.0}','device','right','4c2790cfd07b22227324505fd841ef81',0,1458.0,648.0,324.0,0.0,'not_run','',0,NULL);
INSERT INTO points VALUES(9,2,3,0,'matmul/noisy @ fake:0 dtype=f32 k=9 m=9 n=9 fault_verb=run noise=0 noise_seed=1 ns=1000000 tile=1','matmul','noisy','fake','fake:0','{"dtype":"f32","k":9,"m":9,"n":9}','','{"fault_verb":"run","noise":0.0,"noise_seed":1,"ns":1000000,"tile":1}','{"basis":"device","cache":"hot","fixed_samples":6,"launch":"stream","max_samples":10000,"max_seconds":2.0,"min_sample_ns":20000.0,"min_samples":30,"min_timer_steps":200.0,"seed":1,"target":0.01,"warmup_seconds":0.0}','device','right','e9e38f0f167adc83070aab3920c3e9f0',0,1458.0,648.0,324.0,0.0,'not_run','',0,NULL);
INSERT INTO points VALUES(10,2,4,0,'matmul/steady @ fake:0 dtype=f32 k=10 m=10 n=10 block=1 fault_verb=run noise=0 noise_seed=1 ns=1000000 tile=1','matmul','steady','fake','fake:0','{"dtype":"f32","k":10,"m":10,"n":10}','','{"block":1,"fault_verb":"run","noise":0.0,"noise_seed":1,"ns":1000000,"tile":1}','{"basis":"device","cache":"hot","fixed_samples":6,"launch":"stream","max_samples":10000,"max_seconds":2.0,"min_sample_ns":20000.0,"min_samples":30,"min_timer_steps":200.0,"seed":1,"target":0.01,"warmup_seconds":0.0}','device','right','fca2961b83b0324eb9f9ce883022ef18',0,2000.0,800.0,400.0,0.0,'not_run','',0,NULL);
INSERT INTO points VALUES(11,2,5,0,'matmul/noisy @ fake:0 dtype=f32 k=10 m=10 n=10 fault_verb=run noise=0 noise_seed=1 ns=1000000 tile=1','matmul','noisy','fake','fake:0','{"dtype":"f32","k":10,"m":10,"n":10}','','{"fault_verb":"run","noise":0.0,"noise_seed":1,"ns":1000000,"tile":1}','{"basis":"device","cache":"hot","fixed_samples":6,"launch":"stream","max_samples":10000,"max_seconds":2.0,"min_sample_ns":20000.0,"min_samples":30,"min_timer_steps":200.0,"seed":1,"target":0.01,"warmup_seconds":0.0}','device','right','2b9c56109ca7e8ac3b209b07d41d47a9',0,2000.0,800.0,400.0,0.0,'not_run','',0,NULL);
CREATE TABLE samples (
  id INTEGER PRIMARY KEY,
  point INTEGER NOT NULL REFERENCES points,
  session INTEGER NOT NULL,
  round INTEGER NOT NULL,
  batch INTEGER NOT NULL,
  gated INTEGER NOT NULL,
  ns BLOB NOT NULL,
  readings_json TEXT NOT NULL,
  note TEXT NOT NULL,
  used INTEGER NOT NULL,
  stored_at TEXT NOT NULL,
  UNIQUE (point, session, round)
) STRICT;
INSERT INTO samples VALUES(1,1,0,0,1,0,X'0000000080842e410000000080842e410000000080842e410000000080842e410000000080842e410000000080842e41','{}','',1,'2026-11-25T16:35:40.201Z');
INSERT INTO samples VALUES(2,2,0,0,1,0,X'00000000e0c8304100000000e0c8304100000000e0c8304100000000e0c8304100000000e0c8304100000000e0c83041','{}','',1,'2026-11-25T16:35:40.205Z');
INSERT INTO samples VALUES(3,6,0,0,1,0,X'0000000080842e410000000080842e410000000080842e410000000080842e410000000080842e410000000080842e41','{}','',1,'2026-11-25T16:35:41.870Z');
INSERT INTO samples VALUES(4,7,0,0,1,0,X'0000000080842e410000000080842e410000000080842e410000000080842e410000000080842e410000000080842e41','{}','',1,'2026-11-25T16:35:42.598Z');
CREATE TABLE measurements (
  point INTEGER PRIMARY KEY REFERENCES points,
  n_samples INTEGER NOT NULL,
  batch INTEGER NOT NULL,
  gated INTEGER NOT NULL,
  median_ns REAL, ci_low_ns REAL, ci_high_ns REAL,
  min_ns REAL, max_ns REAL, mean_ns REAL, mad_ns REAL,
  p5_ns REAL, p25_ns REAL, p75_ns REAL, p95_ns REAL,
  warmup_ns REAL,
  stop TEXT NOT NULL,
  note TEXT NOT NULL
) STRICT;
INSERT INTO measurements VALUES(1,6,1,0,1000000.0,1000000.0,1000000.0,1000000.0,1000000.0,1000000.0,0.0,1000000.0,1000000.0,1000000.0,1000000.0,1000000.0,'fixed','');
INSERT INTO measurements VALUES(2,6,1,0,1100000.0,1100000.0,1100000.0,1100000.0,1100000.0,1100000.0,0.0,1100000.0,1100000.0,1100000.0,1100000.0,1100000.0,'fixed','');
INSERT INTO measurements VALUES(6,6,1,0,1000000.0,1000000.0,1000000.0,1000000.0,1000000.0,1000000.0,0.0,1000000.0,1000000.0,1000000.0,1000000.0,1000000.0,'fixed','');
INSERT INTO measurements VALUES(7,6,1,0,1000000.0,1000000.0,1000000.0,1000000.0,1000000.0,1000000.0,0.0,1000000.0,1000000.0,1000000.0,1000000.0,1000000.0,'fixed','');
CREATE TABLE verifications (
  point INTEGER NOT NULL REFERENCES points,
  phase TEXT NOT NULL CHECK (phase IN ('before', 'after')),
  ok INTEGER NOT NULL,
  reason TEXT NOT NULL,
  error_norm REAL, tolerance_norm REAL,
  worst_error REAL, worst_tolerance REAL,
  worst_element TEXT NOT NULL,
  checked INTEGER NOT NULL,
  not_a_number INTEGER NOT NULL,
  guard_bytes_changed INTEGER NOT NULL,
  PRIMARY KEY (point, phase)
) STRICT, WITHOUT ROWID;
INSERT INTO verifications VALUES(1,'after',1,'',5.3171439911848131162e-08,1.6518123698891422206e-06,2.2436849178575357655e-07,3.5353725253930544489e-06,'C[6, 0]',64,0,0);
INSERT INTO verifications VALUES(1,'before',1,'',5.3171439911848131162e-08,1.6518123698891422206e-06,2.2436849178575357655e-07,3.5353725253930544489e-06,'C[6, 0]',64,0,0);
INSERT INTO verifications VALUES(2,'after',1,'',5.3171439911848131162e-08,1.6518123698891422206e-06,2.2436849178575357655e-07,3.5353725253930544489e-06,'C[6, 0]',64,0,0);
INSERT INTO verifications VALUES(2,'before',1,'',5.3171439911848131162e-08,1.6518123698891422206e-06,2.2436849178575357655e-07,3.5353725253930544489e-06,'C[6, 0]',64,0,0);
INSERT INTO verifications VALUES(4,'before',0,'error norm 0.111 exceeds the tolerance 1.72e-06 of f32 sums of 9 products; worst C[8, 8] = 1.59284687, expected 0.592846847',0.11111111369322380915,1.7192608239479013085e-06,1.000000023238882818,3.814697265625e-06,'C[8, 8]',81,0,0);
INSERT INTO verifications VALUES(6,'after',1,'',5.3171439911848131162e-08,1.6518123698891422206e-06,2.2436849178575357655e-07,3.5353725253930544489e-06,'C[6, 0]',64,0,0);
INSERT INTO verifications VALUES(6,'before',1,'',5.3171439911848131162e-08,1.6518123698891422206e-06,2.2436849178575357655e-07,3.5353725253930544489e-06,'C[6, 0]',64,0,0);
INSERT INTO verifications VALUES(7,'after',1,'',5.3171439911848131162e-08,1.6518123698891422206e-06,2.2436849178575357655e-07,3.5353725253930544489e-06,'C[6, 0]',64,0,0);
INSERT INTO verifications VALUES(7,'before',1,'',5.3171439911848131162e-08,1.6518123698891422206e-06,2.2436849178575357655e-07,3.5353725253930544489e-06,'C[6, 0]',64,0,0);
CREATE TABLE resources (
  point INTEGER NOT NULL REFERENCES points,
  metric TEXT NOT NULL,
  value REAL,
  PRIMARY KEY (point, metric)
) STRICT, WITHOUT ROWID;
INSERT INTO resources VALUES(1,'registers',42.0);
INSERT INTO resources VALUES(2,'registers',42.0);
INSERT INTO resources VALUES(4,'registers',42.0);
INSERT INTO resources VALUES(5,'registers',42.0);
INSERT INTO resources VALUES(6,'registers',42.0);
INSERT INTO resources VALUES(7,'registers',42.0);
CREATE TABLE notes (
  point INTEGER NOT NULL REFERENCES points,
  key TEXT NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (point, key)
) STRICT, WITHOUT ROWID;
INSERT INTO notes VALUES(1,'kernel','scripted');
INSERT INTO notes VALUES(2,'kernel','scripted');
INSERT INTO notes VALUES(4,'kernel','scripted');
INSERT INTO notes VALUES(5,'kernel','scripted');
INSERT INTO notes VALUES(6,'kernel','scripted');
INSERT INTO notes VALUES(7,'kernel','scripted');
CREATE TABLE roofs (
  run INTEGER NOT NULL REFERENCES runs,
  lane TEXT NOT NULL,
  probe TEXT NOT NULL,
  per_second REAL NOT NULL,
  source INTEGER NOT NULL REFERENCES points,
  PRIMARY KEY (run, lane, probe)
) STRICT, WITHOUT ROWID;
INSERT INTO roofs VALUES(1,'fake:0','dram_copy',1000000000.0,1);
CREATE TABLE events (
  id INTEGER PRIMARY KEY,
  run INTEGER NOT NULL REFERENCES runs,
  time TEXT NOT NULL,
  text TEXT NOT NULL
) STRICT;
CREATE INDEX runs_by_config ON runs (config_hash);
CREATE INDEX points_by_content ON points (content_key) WHERE finished = 1 AND status = 'ok';
COMMIT;
PRAGMA application_id = 1112429396;
PRAGMA user_version = 2;
