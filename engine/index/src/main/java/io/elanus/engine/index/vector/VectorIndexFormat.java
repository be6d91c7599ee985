package io.elanus.engine.index.vector;

import io.elanus.base.column.Column;
import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.error.FormatErrors;
import io.elanus.base.schema.MetricType;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// A vector index as one immutable block of bytes, searchable where it is mapped. The raw vectors
/// stay in the segment's column.
///
/// Version 1, all little-endian:
///
/// | offset | bytes | content |
/// | --- | --- | --- |
/// | 0 | 8 | `ELANVIDX` |
/// | 8 | 4 | version, 1 |
/// | 12 | 4 | kind: 1 FLAT, 2 HNSW, 3 IVF_FLAT, 4 HNSW with codes |
/// | 16 | 4 | metric: 1 L2, 2 IP, 3 COSINE |
/// | 20 | 4 | dim |
/// | 24 | 4 | rows |
/// | 28 | 24 | six int32 of the kind; HNSW: M, efConstruction, upper rows, highest level, entry slot (-1 without upper rows), dimensions a sub-space (0 without codes); IVF_FLAT: nlist, then 0; FLAT: 0 |
/// | 52 | 4 | `n`, number of sections |
/// | 56 | 24 `n` | per section: int32 id, int32 CRC32C of its bytes, int64 offset, int64 length |
/// | 56 + 24 `n` | 4 | CRC32C of everything before |
///
/// Sections begin at multiples of 64, in the order of the table, with zeros between.
///
/// | id | section | kinds | layout |
/// | --- | --- | --- | --- |
/// | 1 | inverse norms, COSINE only | all | `rows` float32, 0 for a zero row |
/// | 10 | links of level 0 | HNSW | see [HnswGraph] |
/// | 11 | upper rows | HNSW, with codes too | |
/// | 12 | upper starts | HNSW, with codes too | |
/// | 13 | upper links | HNSW, with codes too | |
/// | 14 | blocks of links and codes | HNSW with codes | see [NeighbourCodes] |
/// | 15 | codebooks | HNSW with codes | |
/// | 20 | centroids | IVF_FLAT | see [IvfLists] |
/// | 21 | list starts | IVF_FLAT | |
/// | 22 | row ids | IVF_FLAT | |
/// | 23 | vectors in list order | IVF_FLAT | |
///
/// Every checksum is verified when an index is opened. Whatever doesn't fit (bytes, lengths, a kind
/// unknown to this build, or the column's shape) is error 1009, data integrity. A newer version is
/// error 3000, unsupported; the place of the version, the number of sections, the size of the
/// header and its checksum stay as they are in every version, so that it is told from damage. Both
/// errors name the object.
///
/// Thread-safe: stateless.
public final class VectorIndexFormat {
  private static final long MAGIC = 0x58444956_4E414C45L;
  private static final int VERSION = 1;
  private static final int FIXED_BYTES = 56;
  private static final int ENTRY_BYTES = 24;
  private static final int MAX_SECTIONS = 16;
  private static final int ALIGNMENT = 64;
  private static final int CHUNK_BYTES = 1 << 24;
  private static final int KIND_PARAMS = 6;

  private static final int NORMS = 1;
  private static final int LINKS_0 = 10;
  private static final int UPPER_ROWS = 11;
  private static final int UPPER_STARTS = 12;
  private static final int UPPER_LINKS = 13;
  private static final int BLOCKS = 14;
  private static final int CODEBOOKS = 15;
  private static final int CENTROIDS = 20;
  private static final int LIST_STARTS = 21;
  private static final int ROW_IDS = 22;
  private static final int LIST_VECTORS = 23;

  private static final int FLAT = 1;
  private static final int HNSW = 2;
  private static final int IVF_FLAT = 3;
  private static final int CODED_HNSW = 4;

  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private VectorIndexFormat() {}

  private record Section(int id, MemorySegment bytes) {}

  /// An index taken apart: kind, the kind's parameters and its sections.
  private record Parts(int kind, int[] params, VectorRows rows, List<Section> sections) {}

  private static Parts partsOf(VectorIndex index) {
    return switch (index) {
      case FlatIndex flat ->
          new Parts(FLAT, new int[KIND_PARAMS], flat.vectorRows(), sections(flat.vectorRows()));
      case HnswIndex hnsw -> {
        HnswGraph g = hnsw.graph();
        List<Section> sections = sections(hnsw.vectorRows());
        NeighbourCodes codes = hnsw.codes();
        sections.add(new Section(codes == null ? LINKS_0 : BLOCKS, g.links0));
        sections.add(new Section(UPPER_ROWS, g.upperRows));
        sections.add(new Section(UPPER_STARTS, g.upperStarts));
        sections.add(new Section(UPPER_LINKS, g.upperLinks));
        int subDim = 0;
        if (codes != null) {
          sections.add(new Section(CODEBOOKS, codes.codebooks));
          subDim = codes.subDim;
        }
        int[] params = {g.m, g.efConstruction, g.upperCount, g.maxLevel, g.entrySlot, subDim};
        int kind = codes == null ? HNSW : CODED_HNSW;
        yield new Parts(kind, params, hnsw.vectorRows(), sections);
      }
      case IvfFlatIndex ivf -> {
        IvfLists lists = ivf.lists();
        List<Section> sections = sections(ivf.vectorRows());
        sections.add(new Section(CENTROIDS, lists.centroids));
        sections.add(new Section(LIST_STARTS, lists.starts));
        sections.add(new Section(ROW_IDS, lists.rowIds));
        sections.add(new Section(LIST_VECTORS, lists.vectors));
        int[] params = {lists.nlist, 0, 0, 0, 0, 0};
        yield new Parts(IVF_FLAT, params, ivf.vectorRows(), sections);
      }
    };
  }

  private static List<Section> sections(VectorRows rows) {
    List<Section> sections = new ArrayList<>();
    MemorySegment norms = rows.norms();
    if (norms != null) {
      sections.add(new Section(NORMS, norms));
    }
    return sections;
  }

  private static long aligned(long offset) {
    return (offset + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  }

  private static int headerBytes(int sections) {
    return FIXED_BYTES + ENTRY_BYTES * sections + 4;
  }

  /// Bytes that [#write] will write.
  public static long sizeBytes(VectorIndex index) {
    List<Section> sections = partsOf(index).sections();
    long offset = headerBytes(sections.size());
    for (Section section : sections) {
      offset = aligned(offset) + section.bytes().byteSize();
    }
    return offset;
  }

  public static void write(VectorIndex index, OutputStream to) throws IOException {
    write(index, Channels.newChannel(to));
  }

  /// Writes the whole block from the channel's position on; doesn't close it.
  public static void write(VectorIndex index, WritableByteChannel to) throws IOException {
    Parts parts = partsOf(index);
    ByteBuffer header = header(parts);
    long offset = header.remaining();
    writeFully(to, header);
    for (Section section : parts.sections()) {
      int pad = (int) (aligned(offset) - offset);
      writeFully(to, ByteBuffer.allocate(pad));
      MemorySegment bytes = section.bytes();
      for (long at = 0; at < bytes.byteSize(); at += CHUNK_BYTES) {
        long length = Math.min(CHUNK_BYTES, bytes.byteSize() - at);
        writeFully(to, bytes.asSlice(at, length).asByteBuffer());
      }
      offset += pad + bytes.byteSize();
    }
  }

  private static void writeFully(WritableByteChannel to, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      to.write(bytes);
    }
  }

  private static ByteBuffer header(Parts parts) {
    List<Section> sections = parts.sections();
    int size = headerBytes(sections.size());
    ByteBuffer header = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    header.putLong(MAGIC).putInt(VERSION).putInt(parts.kind());
    header.putInt(metricNumber(parts.rows().metric()));
    header.putInt(parts.rows().dim()).putInt(parts.rows().count());
    for (int param : parts.params()) {
      header.putInt(param);
    }
    header.putInt(sections.size());
    long offset = size;
    for (Section section : sections) {
      offset = aligned(offset);
      header.putInt(section.id()).putInt(checksum(section.bytes()));
      header.putLong(offset).putLong(section.bytes().byteSize());
      offset += section.bytes().byteSize();
    }
    CRC32C crc = new CRC32C();
    crc.update(header.array(), 0, header.position());
    header.putInt((int) crc.getValue());
    return header.flip();
  }

  private static int checksum(MemorySegment bytes) {
    CRC32C crc = new CRC32C();
    for (long at = 0; at < bytes.byteSize(); at += CHUNK_BYTES) {
      long length = Math.min(CHUNK_BYTES, bytes.byteSize() - at);
      crc.update(bytes.asSlice(at, length).asByteBuffer());
    }
    return (int) crc.getValue();
  }

  private static int metricNumber(MetricType metric) {
    return metric == MetricType.L2 ? 1 : metric == MetricType.IP ? 2 : 3;
  }

  /// Opens an index over the column that it was built from. The bytes are used in place when they
  /// are native or mapped (and must then outlive the index), and copied when they are on the heap.
  ///
  /// `key` is the object's name, for errors: 1009 when anything doesn't fit, 3000 when a newer
  /// version wrote it.
  public static VectorIndex open(String key, MemorySegment file, Column vectors) {
    MemorySegment bytes = file;
    if (!file.isNative()) {
      bytes = VectorRows.allocate(file.byteSize());
      bytes.copyFrom(file);
    }
    return new Reader(key, bytes, vectors).read();
  }

  /// Reads one block.
  ///
  /// Confined to the caller.
  private static final class Reader {
    private final String key;
    private final MemorySegment bytes;
    private final Column vectors;
    private int sections;

    Reader(String key, MemorySegment bytes, Column vectors) {
      this.key = key;
      this.bytes = bytes;
      this.vectors = vectors;
    }

    VectorIndex read() {
      checkHeader();
      int dim = intAt(20);
      int rows = intAt(24);
      if (dim != vectors.dim() || rows != vectors.rows()) {
        throw damaged(
            String.format(
                java.util.Locale.ROOT,
                "is over %d rows of %d, the column has %d rows of %d",
                rows,
                dim,
                vectors.rows(),
                vectors.dim()));
      }
      MetricType metric = metricOf(intAt(16));
      MemorySegment norms = metric == MetricType.COSINE ? section(NORMS, 4L * rows) : null;
      return index(dim, rows, metric, norms);
    }

    private VectorIndex index(int dim, int rows, MetricType metric, @Nullable MemorySegment norms) {
      VectorRows vectorRows = VectorRows.of(vectors, metric, norms);
      return switch (intAt(12)) {
        case FLAT -> new FlatIndex(vectorRows);
        case HNSW -> new HnswIndex(vectorRows, graph(rows, LINKS_0, 8L * intAt(28)));
        case CODED_HNSW -> codedGraph(vectorRows);
        case IVF_FLAT -> new IvfFlatIndex(vectorRows, lists(metric, rows, dim));
        default -> throw damaged("kind " + intAt(12));
      };
    }

    private void checkHeader() {
      if (bytes.byteSize() < FIXED_BYTES + 4 || bytes.get(LONG, 0) != MAGIC) {
        throw damaged("no index header");
      }
      sections = intAt(52);
      if (sections < 0 || sections > MAX_SECTIONS || bytes.byteSize() < headerBytes(sections)) {
        throw damaged("header of " + sections + " sections");
      }
      int checked = headerBytes(sections) - 4;
      if (checksum(bytes.asSlice(0, checked)) != intAt(checked)) {
        throw damaged("header checksum");
      }
      int version = intAt(8);
      if (version > VERSION) {
        throw FormatErrors.newer("object " + key, version, VERSION);
      }
      if (version != VERSION) {
        throw damaged("format version " + version + " never was");
      }
    }

    private DbException damaged(String what) {
      return DbException.described(
          ErrorCode.DATA_INTEGRITY, "object " + key + ": vector index: " + what);
    }

    private MetricType metricOf(int number) {
      return switch (number) {
        case 1 -> MetricType.L2;
        case 2 -> MetricType.IP;
        case 3 -> MetricType.COSINE;
        default -> throw damaged("metric " + number);
      };
    }

    private int intAt(long offset) {
      return bytes.get(INT, offset);
    }

    private MemorySegment section(int id, long length) {
      for (int i = 0; i < sections; i++) {
        long entry = FIXED_BYTES + (long) ENTRY_BYTES * i;
        if (intAt(entry) == id) {
          long offset = bytes.get(LONG, entry + 8);
          long found = bytes.get(LONG, entry + 16);
          if (found != length || offset < 0 || offset > bytes.byteSize() - length) {
            throw damaged("section " + id + " of " + found + " bytes at " + offset);
          }
          MemorySegment section = bytes.asSlice(offset, length);
          if (checksum(section) != intAt(entry + 4)) {
            throw damaged("checksum of section " + id);
          }
          return section;
        }
      }
      throw damaged("section " + id + " is missing");
    }

    private HnswIndex codedGraph(VectorRows vectorRows) {
      int m = intAt(28);
      int dim = vectorRows.dim();
      int subDim = intAt(48);
      if (subDim < 1 || subDim > dim || m < 1 || !NeighbourCodes.fits(dim)) {
        throw damaged("codes of " + subDim + " dimensions");
      }
      int blockBytes = NeighbourCodes.blockBytes(dim, subDim, m);
      HnswGraph graph = graph(vectorRows.count(), BLOCKS, blockBytes);
      MemorySegment codebooks = section(CODEBOOKS, NeighbourCodes.codebookBytes(dim, subDim));
      NeighbourCodes codes = new NeighbourCodes(dim, subDim, m, graph.links0, codebooks);
      return new HnswIndex(vectorRows, graph, codes);
    }

    private HnswGraph graph(int rows, int linkSection, long linkStrideBytes) {
      int m = intAt(28);
      int upper = intAt(36);
      HnswGraph.Shape shape = new HnswGraph.Shape(m, intAt(32), rows, upper, intAt(40), intAt(44));
      if (m < 1 || upper < 0 || upper > rows || shape.entrySlot() >= upper) {
        throw damaged("graph of M " + m + " with " + upper + " upper rows");
      }
      MemorySegment starts = section(UPPER_STARTS, 4L * (upper + 1));
      long lists = starts.get(INT, 4L * upper);
      return new HnswGraph(
          shape,
          new MemorySegment[] {
            section(linkSection, linkStrideBytes * rows),
            section(UPPER_ROWS, 4L * upper),
            starts,
            section(UPPER_LINKS, 4L * m * lists)
          },
          linkStrideBytes);
    }

    private IvfLists lists(MetricType metric, int rows, int dim) {
      int nlist = intAt(28);
      if (nlist < 1) {
        throw damaged("nlist " + nlist);
      }
      return new IvfLists(
          metric,
          nlist,
          dim,
          new MemorySegment[] {
            section(CENTROIDS, 4L * dim * nlist),
            section(LIST_STARTS, 4L * (nlist + 1)),
            section(ROW_IDS, 4L * rows),
            section(LIST_VECTORS, 4L * dim * rows)
          });
    }
  }
}
